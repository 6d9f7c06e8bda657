import { describe, expect, it } from 'vitest'
import { firstCheckAt, nextAction, retryAfterMs, type Supervised, type SupervisionAction } from './supervision-rules.ts'

const since = new Date('2026-03-01T12:00:00Z')
const seconds = (count: number) => new Date(since.getTime() + count * 1000)
const fine = { hostResponds: true, unheard: false }
const number: Supervised = {
  status: 'WORKING',
  desiredState: 'running',
  statusSince: since,
  statusReason: null,
  networkId: '12025550001@c.us',
  retryCount: 0,
  missedProbes: 0,
  noAcksAt: null,
  retryAt: null,
  isFinal: false,
}

describe('the back-off', () => {
  it.each([
    [0, 5],
    [1, 10],
    [2, 20],
    [3, 40],
    [4, 80],
    [5, 300],
    [6, 300],
    [1000, 300],
  ])('after %i reconnections waits %i s', (retryCount, waits) => {
    expect(retryAfterMs(retryCount)).toBe(waits * 1000)
  })
})

describe('the first look', () => {
  it.each<[string, Partial<Supervised>, number | null]>([
    ['at a number that works', {}, 60],
    ['at one that waits for a scan', { status: 'SCAN_QR_CODE' }, 60],
    ['at a linked one that starts', { status: 'STARTING' }, 5],
    ['at one without a link that starts', { status: 'STARTING', networkId: null }, 60],
    ['at one that failed', { status: 'FAILED' }, 5],
    ['at one that failed for the third time', { status: 'FAILED', retryCount: 2 }, 20],
    ['at one whose QRs were not scanned', { status: 'FAILED', statusReason: 'qr_expired' }, null],
    ['at one whose host is down', { status: 'UNREACHABLE' }, 10],
    ['at one that is stopped', { status: 'STOPPED' }, null],
  ])('%s', (_what, change, after) => {
    expect(firstCheckAt({ ...number, ...change })).toEqual(after === null ? null : seconds(after))
  })
})

describe('a look', () => {
  const rest = (at: Date | null, missedProbes = 0): SupervisionAction => ({ is: 'wait', at, missedProbes })
  it.each<[string, Partial<Supervised>, Partial<typeof fine>, number, SupervisionAction]>([
    ['leaves alone what works', {}, {}, 60, rest(seconds(120))],
    ['leaves alone what waits for a scan', { status: 'SCAN_QR_CODE' }, {}, 60, rest(seconds(120))],
    ['leaves a stopped number alone', { status: 'STOPPED' }, { hostResponds: false }, 60, rest(null)],
    ['asks after a start', { status: 'STARTING' }, {}, 5, { is: 'query', overdue: false }],
    ['still asks after 29 s', { status: 'STARTING' }, {}, 29, { is: 'query', overdue: false }],
    ['judges a start after 30 s', { status: 'STARTING' }, {}, 30, { is: 'query', overdue: true }],
    [
      'waits longer for one without a link',
      { status: 'STARTING', networkId: null },
      {},
      59,
      { is: 'query', overdue: false },
    ],
    ['starts it after a minute', { status: 'STARTING', networkId: null }, {}, 60, { is: 'query', overdue: true }],
    ['waits for the back-off', { status: 'FAILED', retryCount: 1 }, {}, 9, rest(seconds(10))],
    ['tries again after the back-off', { status: 'FAILED', retryCount: 1 }, {}, 10, { is: 'retry' }],
    ['tries every five minutes in the end', { status: 'FAILED', retryCount: 9 }, {}, 299, rest(seconds(300))],
    ['does not show QRs again by itself', { status: 'FAILED', statusReason: 'qr_expired' }, {}, 9999, rest(null)],
    ['tries again when the network allows it', { status: 'FAILED', retryAt: seconds(7200) }, {}, 7200, { is: 'retry' }],
    ['waits as long as the network says', { status: 'FAILED', retryAt: seconds(7200) }, {}, 7199, rest(seconds(7200))],
    ['never retries what the network refused for good', { status: 'FAILED', isFinal: true }, {}, 9999, rest(null)],
    ['notes a host that misses once', {}, { hostResponds: false }, 60, rest(seconds(65), 1)],
    ['notes a host that misses twice', { missedProbes: 1 }, { hostResponds: false }, 65, rest(seconds(70), 2)],
    [
      'takes the third miss for a host that is down',
      { missedProbes: 2 },
      { hostResponds: false },
      70,
      { is: 'unreachable' },
    ],
    [
      'does not judge a start while the host is silent',
      { status: 'STARTING' },
      { hostResponds: false },
      30,
      rest(seconds(35), 1),
    ],
    ['tries a host that is down again', { status: 'UNREACHABLE' }, { hostResponds: false }, 10, rest(seconds(20))],
    ['asks a host that is back', { status: 'UNREACHABLE' }, {}, 10, { is: 'query', overdue: false }],
    ['stops what should be stopped', { desiredState: 'stopped' }, {}, 60, { is: 'stop' }],
    [
      'stops nothing while the host is down',
      { status: 'UNREACHABLE', desiredState: 'stopped' },
      { hostResponds: false },
      10,
      rest(seconds(20)),
    ],
    ['stops it when the host is back', { status: 'UNREACHABLE', desiredState: 'stopped' }, {}, 10, { is: 'stop' }],
    ['reconnects when receipts are missing', {}, { unheard: true }, 60, { is: 'reconnect' }],
    ['gives up when receipts are missing again', { noAcksAt: since }, { unheard: true }, 3599, { is: 'give_up' }],
    ['reconnects once more after an hour', { noAcksAt: since }, { unheard: true }, 3600, { is: 'reconnect' }],
  ])('%s', (_what, change, found, after, order) => {
    expect(nextAction({ ...number, ...change }, { ...fine, ...found }, seconds(after))).toEqual(order)
  })
})
