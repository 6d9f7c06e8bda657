import type { Overview } from '@msgctl/client'
import { describe, expect, it } from 'vitest'
import { ascii, blocks, shareCells, sparkline } from '../../output/bars.ts'
import { frameLines } from './frame.ts'

const at = '2026-11-03T09:30:00.000Z'
const number = {
  containerId: 'n1',
  label: 'Support',
  statusSince: at,
  isDefault: true,
  queueHeld: false,
  heldMessages: 0,
  restrictedUntil: null,
}
const overview: Overview = {
  success: true,
  at,
  messages: { queued: 312, sending: 2, sent: 10, delivered: 20, read: 70, failed: 4 },
  numbers: [
    {
      ...number,
      status: 'WORKING',
      waiting: { high: 1, normal: 1, campaign: 310 },
      nextAt: '2026-11-03T09:30:04.000Z',
    },
    {
      ...number,
      label: 'Sales\u001b[31m',
      status: 'FAILED',
      waiting: { high: 0, normal: 3, campaign: 0 },
      nextAt: null,
    },
    { ...number, label: 'Front', status: 'WORKING', waiting: { high: 0, normal: 0, campaign: 0 }, nextAt: null },
  ],
  campaigns: [
    {
      id: 'c1',
      name: 'November tables',
      status: 'sending',
      stats: { total: 420, sent: 200, delivered: 150, failed: 17, read: 100 },
    },
  ],
  unread: 16,
  deliveries: { pending: 0, dropped24h: 3 },
  positions: { events: 1, chats: 1 },
}
const counts = { type: 'alert', queued: 0, sending: 0, failed: 0 } as const
const hours = [
  { hour: '2026-11-01T08:00:00.000Z', ...counts, sent: 0, delivered: 0, read: 0, failed: 9 },
  { hour: '2026-11-03T08:00:00.000Z', ...counts, sent: 1, delivered: 1, read: 2, failed: 3 },
  { hour: '2026-11-03T09:00:00.000Z', ...counts, sent: 0, delivered: 0, read: 1 },
]

describe('one frame of msgctl top', () => {
  it('names an account that the network restricts, whatever waits', () => {
    const [first] = overview.numbers
    if (!first) throw new Error('There is no number.')
    const restrictedUntil = '2026-11-03T09:34:55.000Z'
    const lines = frameLines({ ...overview, numbers: [{ ...first, restrictedUntil }] }, hours, {
      glyphs: ascii,
      colours: false,
    })
    expect(lines).toContain('Support              RESTRICTED        312  restricted for 5 min')
  })

  it('has the figures, 24 hours, the numbers and the campaigns', () => {
    expect(frameLines(overview, hours, { glyphs: ascii, colours: false })).toEqual([
      '312 waiting   2 being sent   3 failed in 24 h   16 unread   3 events dropped',
      `Sent, 24 hours  ${' '.repeat(22)}#:  4 in the best hour`,
      '',
      'NUMBER               STATE         WAITING  NEXT',
      'Support              WORKING           312  in 4 s',
      'Sales                FAILED              3  waits for the number',
      'Front                WORKING             0  -',
      '',
      'CAMPAIGN             PROGRESS                             READ  FAILED  LEFT',
      'November tables      #######++++----x.............. 52 %  50 %      17  17 min',
    ])
  })

  it('leaves out what the products do not unlock', () => {
    const less = { ...overview, campaigns: null, unread: null, deliveries: null }
    const lines = frameLines(less, [], { glyphs: blocks, colours: false })
    expect(lines[0]).toBe('312 waiting   2 being sent   none failed in 24 h')
    expect(lines).toHaveLength(7)
  })

  it('has colours only where they are wanted', () => {
    const text = (colours: boolean) => frameLines(overview, hours, { glyphs: blocks, colours }).join('')
    expect(text(true)).toContain('\u001b[')
    expect(text(false)).not.toContain('\u001b[')
  })
})

describe('the cells of a bar', () => {
  it.each([
    [[50, 50], 10, [5, 5]],
    [[1, 999], 10, [1, 9]],
    [[1, 1, 998], 10, [1, 1, 8]],
    [[1, 1, 1], 10, [4, 3, 3]],
    [[0, 0, 0], 6, [0, 0, 6]],
    [[3, 0, 0], 6, [6, 0, 0]],
  ])('of %j in %i are %j', (values, width, cells) => {
    expect(shareCells(values, width)).toEqual(cells)
  })

  it('shows what is above nothing in a line of levels', () => {
    expect(sparkline([0, 1, 500, 1000], blocks)).toBe(' ▁▄█')
  })
})
