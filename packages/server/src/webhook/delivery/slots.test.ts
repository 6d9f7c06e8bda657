import { describe, expect, it } from 'vitest'
import { deliverySlots } from './slots.ts'

const bounds = { brisk: 4, slow: 2, perOrganization: 8 }

/** Takes `count` slots for an organization and gives them back with this answer time. */
function pass(slots: ReturnType<typeof deliverySlots>, organizationId: string, answeredInMs: number | null, count = 1) {
  for (let turn = 0; turn < count; turn++) slots.take(organizationId)(answeredInMs)
}

describe('sharing out the attempts of one process', () => {
  it('offers a newcomer two', () => {
    expect(deliverySlots(bounds).offers()).toEqual([{ slots: 4, fromSlow: false, slow: [], room: {}, newcomerRoom: 2 }])
  })

  it('gives an organization more as its receiver answers quickly, up to its bound', () => {
    const slots = deliverySlots(bounds)
    const rooms = [1, 1, 1].map((count) => {
      pass(slots, 'a', 20, count)
      return slots.offers()[0]?.room.a
    })
    expect(rooms).toEqual([4, 8, 8])
  })

  it.each([
    [0, 40],
    [30, 24],
    [60, 8],
    [900, 8],
  ])('claims ahead what a receiver that answers in %s ms takes in about a tenth of a second: %s in all', (ms, room) => {
    const slots = deliverySlots({ ...bounds, brisk: 100, ahead: 5 })
    pass(slots, 'a', ms, 2)
    expect(slots.offers()[0]?.room.a).toBe(room)
  })

  it('claims nothing ahead of a newcomer', () => {
    const slots = deliverySlots({ ...bounds, brisk: 100, ahead: 5 })
    slots.take('a')
    expect(slots.offers()[0]?.room.a).toBe(1)
  })

  it('moves an organization to the slow part as soon as it is found silent, before its attempt ends', () => {
    const slots = deliverySlots(bounds)
    const giveBack = slots.take('silent')
    slots.slowDown('silent')
    expect(slots.offers()).toMatchObject([
      { fromSlow: false, slots: 3 },
      { fromSlow: true, slots: 2, room: { silent: 0 } },
    ])
    expect(slots.isSlow('silent')).toBe(true)
    giveBack(50)
    expect(slots.isSlow('silent')).toBe(false)
  })

  it('counts what is under way', () => {
    const slots = deliverySlots(bounds)
    slots.take('a')
    expect(slots.offers()).toMatchObject([{ slots: 3, room: { a: 1 } }])
    expect(slots.held()).toBe(1)
  })

  it.each([
    ['silent', null],
    ['slow', 2001],
  ])('moves an organization with a %s receiver to the slow part, one at a time', (_what, answeredInMs) => {
    const slots = deliverySlots(bounds)
    pass(slots, 'dead', answeredInMs)
    expect(slots.offers()).toMatchObject([
      { fromSlow: false, slow: ['dead'] },
      { fromSlow: true, slow: ['dead'], slots: 2, room: { dead: 1 } },
    ])
  })

  it('keeps slow organizations, however many, out of the other part', () => {
    const slots = deliverySlots(bounds)
    for (const dead of ['x', 'y', 'z']) pass(slots, dead, null)
    slots.take('x')
    slots.take('y')
    expect(slots.offers()).toMatchObject([{ fromSlow: false, slots: 4 }])
  })

  it('takes an organization back among the others once it answers in time', () => {
    const slots = deliverySlots(bounds)
    pass(slots, 'a', null)
    pass(slots, 'a', 50)
    expect(slots.offers()).toMatchObject([{ fromSlow: false, slow: [], room: { a: 2 } }])
  })

  it('says whether a slot that comes back may have been waited for', () => {
    const slots = deliverySlots(bounds)
    const [first, second] = [slots.take('a'), slots.take('a')]
    expect([second(20), first(20)]).toEqual([true, false])
  })

  it('does not remember every organization for ever', () => {
    const slots = deliverySlots(bounds)
    const busy = slots.take('busy')
    for (let other = 0; other < 2000; other++) pass(slots, `other ${other}`, 20)
    expect(Object.keys(slots.offers()[0]?.room ?? {})).toHaveLength(1000)
    expect(slots.offers()[0]?.room.busy).toBe(1)
    busy(20)
  })
})
