import { expect, it, vi } from 'vitest'
import { logUnanswered } from './unanswered.ts'

it('logs at most one line a minute for each endpoint, with how many attempts came in between', () => {
  const log = { info: vi.fn() }
  let now = new Date('2026-01-01T00:00:00Z')
  const note = logUnanswered({ log, clock: { now: () => now } })
  const attempt = (endpointId: string, id: string) => note({ id, endpointId, organizationId: 'o' }, new Error('gone'))
  for (let count = 0; count < 100; count += 1) attempt('one', `a${count}`)
  attempt('two', 'b')
  now = new Date('2026-01-01T00:00:59.999Z')
  attempt('one', 'c')
  now = new Date('2026-01-01T00:01:00Z')
  attempt('one', 'd')
  attempt('one', 'e')
  // The clock of the simulator may move back.
  now = new Date('2025-12-31T00:00:00Z')
  attempt('one', 'f')
  const lines = log.info.mock.calls.map(([fields]) => [fields.endpointId, fields.deliveryId, fields.skipped])
  expect(lines).toEqual([
    ['one', 'a0', 0],
    ['two', 'b', 0],
    ['one', 'd', 100],
    ['one', 'f', 1],
  ])
  expect(log.info.mock.calls[0]?.[0]).toMatchObject({ event: 'webhook_unanswered', organizationId: 'o' })
})

it('keeps a bounded number of endpoints', () => {
  const log = { info: vi.fn() }
  const note = logUnanswered({ log, clock: { now: () => new Date(0) } }, 2)
  for (const endpointId of ['one', 'two', 'three', 'three', 'one'])
    note({ id: 'd', endpointId, organizationId: 'o' }, new Error('gone'))
  expect(log.info.mock.calls.map(([fields]) => fields.endpointId)).toEqual(['one', 'two', 'three', 'one'])
})
