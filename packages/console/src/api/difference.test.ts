import { describe, expect, it } from 'vitest'
import { staleNames } from './difference.ts'
import type { Overview } from './overview.ts'

const number = {
  containerId: 'a',
  label: 'Demo',
  status: 'WORKING',
  statusSince: '2026-01-01T00:00:00.000Z',
  isDefault: true,
  queueHeld: false,
  restrictedUntil: null,
  heldMessages: 0,
  waiting: { high: 0, normal: 0, campaign: 0 },
  nextAt: null,
} as const

const before: Overview = {
  success: true,
  at: '2026-01-01T00:00:00.000Z',
  messages: { queued: 0, sending: 0, sent: 0, delivered: 0, read: 0, failed: 0 },
  numbers: [number],
  campaigns: [],
  unread: 0,
  deliveries: { pending: 0, dropped24h: 0 },
  positions: { events: 1, chats: 1 },
}

describe('what a new overview makes stale', () => {
  it('is nothing for the first one, and for one in which only the time differs', () => {
    expect(staleNames(null, before)).toEqual([])
    expect(staleNames(before, { ...before, at: '2026-01-01T00:00:01.000Z' })).toEqual([])
  })

  it.each<[string, Partial<Overview>, string[]]>([
    ['a message', { messages: { ...before.messages, queued: 1 } }, ['messages', 'queue', 'hours', 'thread']],
    ['the state of a number', { numbers: [{ ...number, status: 'FAILED' }] }, ['numbers', 'number', 'qr']],
    [
      'a restriction of a number',
      { numbers: [{ ...number, restrictedUntil: '2026-01-01T01:00:00.000Z' }] },
      ['numbers', 'number', 'qr'],
    ],
    ['an unread message', { unread: 1 }, ['chats', 'thread']],
    ['an event', { positions: { events: 2, chats: 1 } }, ['deliveries']],
    ['a dropped delivery', { deliveries: { pending: 0, dropped24h: 1 } }, ['deliveries']],
  ])('follows from %s', (_, change, names) => {
    expect(staleNames(before, { ...before, ...change })).toEqual(expect.arrayContaining(names))
  })

  it('is not every list for every change', () => {
    expect(staleNames(before, { ...before, unread: 1 })).not.toContain('numbers')
  })
})
