import { expect, it } from 'vitest'
import { blockOf, newChatsOf } from './limits.ts'

const nowMs = Date.UTC(2026, 10, 1)
const end = new Date(nowMs + 5000)

it.each([
  [{ isActive: false, timeEnforcementEnds: end }, null],
  [{}, null],
  [{ isActive: true, timeEnforcementEnds: end }, end],
  [{ isActive: true }, new Date(nowMs + 3_600_000)],
])('the time lock %o means %s', (lock, until) => {
  expect(blockOf(lock, nowMs)).toEqual(until)
})

it.each([
  [{}, null],
  [
    { total_quota: -1, used_quota: 0 },
    { used: 0, quota: null, resetsAt: null },
  ],
  [
    { total_quota: 50, used_quota: 7, cycle_end_timestamp: String(end.getTime() / 1000) },
    { used: 7, quota: 50, resetsAt: end },
  ],
  [
    { total_quota: 50, cycle_end_timestamp: '' },
    { used: 0, quota: 50, resetsAt: null },
  ],
])('the quota %o means %o', (cap, newChats) => {
  expect(newChatsOf(cap)).toEqual(newChats)
})
