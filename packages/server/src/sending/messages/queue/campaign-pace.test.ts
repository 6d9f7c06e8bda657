import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CampaignPacing, campaignLimit, noPace, planCampaign, standardPace } from './pace.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const long = new Date(0)
const after = (ms: number) => new Date(now.getTime() + ms)

describe('campaignRoom', () => {
  it.each([
    { lane: long, organization: long, room: 1, why: 'both gates are open' },
    { lane: after(8000), organization: long, room: 1, why: 'the gate of the number opens within the horizon' },
    { lane: after(8001), organization: long, room: 0, why: 'the gate of the number opens later' },
    { lane: long, organization: after(8001), room: 0, why: 'the gate of the organization opens later' },
  ])('takes $room when $why', ({ lane, organization, room }) => {
    expect(campaignLimit(standardPace, now, { lane, organization })).toBe(room)
  })

  it('takes a whole claim without pace', () => {
    const open = { lane: now, organization: after(60_000) }
    expect(campaignLimit(noPace, now, open)).toBe(noPace.maxPerClaim)
    expect(planCampaign(noPace, now, open, { length: 5, random: 0 })).toMatchObject({ typingAt: null, sendAt: now })
  })

  it('takes nothing without pace while the number pauses', () => {
    expect(campaignLimit(noPace, now, { lane: after(60_000), organization: long })).toBe(0)
  })
})

describe('planCampaign', () => {
  it.each([
    { random: 0, lane: 4000 },
    { random: 0.5, lane: 6000 },
    { random: 0.999_999, lane: 8000 },
  ])('types first, and puts the next of the number 3 to 7 seconds later by $random', ({ random, lane }) => {
    const gates = { lane: long, organization: long }
    expect(planCampaign(standardPace, now, gates, { length: 10, random })).toEqual({
      typingAt: now,
      sendAt: after(1000),
      gates: { lane: after(lane), organization: after(2000) },
    })
  })

  it('keeps 20 a minute for each number and 60 for the organization, over any texts and any chance', () => {
    const draws = fc.array(
      fc.record({
        number: fc.integer({ min: 0, max: 9 }),
        length: fc.integer({ min: 1, max: 4096 }),
        random: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        laterMs: fc.integer({ min: 0, max: 3000 }),
      }),
      { minLength: 100, maxLength: 300 },
    )
    const holds = (messages: readonly { number: number; length: number; random: number; laterMs: number }[]) => {
      const lanes = new Map<number, Date>()
      const sent: { number: number; atMs: number }[] = []
      let time = now
      let organization = long
      for (const { number, length, random, laterMs } of messages) {
        time = new Date(time.getTime() + laterMs)
        const gates: CampaignPacing = { lane: lanes.get(number) ?? long, organization }
        const planned = planCampaign(standardPace, time, gates, { length, random })
        const atMs = planned.sendAt.getTime()
        lanes.set(number, planned.gates.lane)
        organization = planned.gates.organization
        sent.push({ number, atMs })
        const minute = sent.filter((one) => one.atMs > atMs - 60_000)
        expect(minute.length).toBeLessThanOrEqual(60)
        expect(minute.filter((one) => one.number === number).length).toBeLessThanOrEqual(20)
      }
    }
    fc.assert(fc.property(draws, holds), { numRuns: 100 })
  })
})
