import { specialPeople } from '@msgctl/server/networks/simulator/people/people'
import { describe, expect, it } from 'vitest'
import { behaviorOf, type PersonBehavior } from './people.ts'

const usual = behaviorOf('15551230000')

/** Delivered and read as by everybody else, only certainly. */
const likeOthers = ['0100']

describe('the people of the test network', () => {
  it.each(Object.keys(specialPeople))('include %s of the simulator', (last) => {
    const behavior = behaviorOf(`1202555${last}`)
    if (likeOthers.includes(last)) expect(behavior).toEqual(usual)
    else expect(behavior).not.toEqual(usual)
  })

  it.each<[string, Partial<PersonBehavior>]>([
    ['0101', { onNetwork: false }],
    ['0102', { isUncheckable: true }],
    ['0110', { receipts: [['server-error', 10]] }],
    ['0111', { refusal: '479' }],
    ['0112', { isUnacknowledged: true }],
    ['0113', { isSwallowed: true }],
    ['0120', { startsOnline: false }],
    ['0124', { ackAfterMs: 400, isReceiptFirst: true }],
    ['0130', { reply: 'echo' }],
    ['0141', { isHidden: true }],
    ['0150', { ackAfterMs: 200 }],
    ['0160', { refusal: '429' }],
  ])('%s behave as %o', (last, behavior) => {
    expect(behaviorOf(`1202555${last}`)).toMatchObject(behavior)
  })
})
