import { describe, expect, it } from 'vitest'
import { noPace, standardPace } from '#sending/messages/queue/pace.ts'
import { forecast } from './forecast.ts'
import type { WaitingLane, WaitingMessage } from './store.ts'

const now = new Date('2026-03-01T12:00:00Z')
const long = new Date(0)
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000)

function lane(containerId: string, differs: Partial<WaitingLane> = {}): WaitingLane {
  const gates = { nextSendAt: long, nextCampaignSendAt: long, organizationNextSendAt: long }
  return { containerId, status: 'WORKING', isHeld: false, restrictedUntil: null, ...gates, ...differs }
}

let ids = 0
function message(containerId: string, differs: Partial<WaitingMessage> = {}): WaitingMessage {
  ids += 1
  const usual = {
    recipient: '12025550100',
    content: 'hello',
    length: 50,
    priority: 'normal',
    campaignId: null,
  } as const
  return { id: `m${ids}`, containerId, ...usual, status: 'queued', dueAt: now, ...differs }
}

/** Returns the seconds until each message leaves, and what it waits for. */
function seconds(lanes: readonly WaitingLane[], messages: readonly WaitingMessage[], pace = standardPace) {
  const times = forecast(pace, now, lanes, messages)
  return messages.map(({ id }) => {
    const found = times.get(id)
    const at = found?.leavesAt
    return [at ? (at.getTime() - now.getTime()) / 1000 : null, found?.waitsFor]
  })
}

const campaignId = 'c1'

describe('the time at which a message leaves', () => {
  it('keeps the pace of its number: typing first, then a text a second', () => {
    const texts = [message('a'), message('a'), message('a')]
    expect(seconds([lane('a')], texts)).toEqual([
      [2, 'pace'],
      [3, 'pace'],
      [4, 'pace'],
    ])
    expect(seconds([lane('a', { nextSendAt: inSeconds(10) })], texts)[0]).toEqual([10, 'pace'])
  })

  it('is now for a high one, and without a pace for all', () => {
    const high = message('a', { priority: 'high' })
    expect(seconds([lane('a')], [high, message('a')])).toEqual([
      [0, null],
      [2, 'pace'],
    ])
    expect(seconds([lane('a')], [high, message('a')], noPace)).toEqual([
      [0, null],
      [0, null],
    ])
  })

  it('is a slot of the pace for those that a worker has claimed', () => {
    const claimed = [message('a', { status: 'sending' }), message('a', { status: 'sending' })]
    const lanes = [lane('a', { nextSendAt: inSeconds(3) })]
    expect(seconds(lanes, [...claimed, message('a')])).toEqual([
      [1, 'pace'],
      [2, 'pace'],
      [3, 'pace'],
    ])
    expect(seconds([lane('a')], claimed)[0]).toEqual([0, null])
  })

  it('is an estimate for campaigns, whose numbers share the pace of the organization', () => {
    const bulk = (id: string) => message(id, { campaignId })
    const messages = [bulk('a'), bulk('a'), bulk('b')]
    const times = forecast(standardPace, now, [lane('a'), lane('b')], messages)
    expect([...times.values()].every(({ estimated }) => estimated)).toBe(true)
    expect(seconds([lane('a'), lane('b')], messages)).toEqual([
      [2, 'pace'],
      [7, 'pace'],
      [3, 'pace'],
    ])
    const shared = inSeconds(30)
    const behind = [lane('a', { organizationNextSendAt: shared }), lane('b', { organizationNextSendAt: shared })]
    expect(seconds(behind, messages)[0]).toEqual([30, 'pace'])
  })

  it('is not known while the number is down, its queue is held, or the campaign is paused', () => {
    expect(seconds([lane('a', { status: 'FAILED' })], [message('a')])).toEqual([[null, 'number']])
    expect(seconds([lane('a', { isHeld: true })], [message('a')])).toEqual([[null, 'release']])
    expect(seconds([lane('a')], [message('a', { dueAt: null, campaignId })])).toEqual([[null, 'time']])
  })

  it('is not before a message is due', () => {
    expect(seconds([lane('a')], [message('a', { dueAt: inSeconds(90) }), message('a')])).toEqual([
      [90, 'time'],
      [2, 'pace'],
    ])
  })

  it('is after the restriction of an account, also for what was tried or is due before its end', () => {
    const until = inSeconds(300)
    const restricted = lane('a', { restrictedUntil: until, nextSendAt: until, nextCampaignSendAt: until })
    const messages = [
      message('a', { dueAt: until }),
      message('a', { dueAt: inSeconds(60) }),
      message('a'),
      message('a', { campaignId }),
      message('a', { priority: 'high' }),
      message('a', { dueAt: inSeconds(3600) }),
    ]
    expect(seconds([restricted], messages)).toEqual([
      [300, 'restricted'],
      [300, 'restricted'],
      [300, 'restricted'],
      [expect.any(Number), 'restricted'],
      [0, null],
      [3600, 'time'],
    ])
    const over = lane('a', { restrictedUntil: now })
    expect(seconds([over], [message('a')])).toEqual([[2, 'pace']])
  })
})
