import { MessageRetryManager } from 'baileys'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { limitPhoneRequests } from './phone-requests.ts'
import { silentLogger } from './silent-logger.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function limited() {
  const manager = new MessageRetryManager(silentLogger, 5)
  limitPhoneRequests(manager)
  const requested: string[] = []
  const schedule = (id: string) => manager.schedulePhoneRequest(id, () => requested.push(id))
  return { manager, requested, schedule }
}

it('requests one message a minute, and none that has come since', () => {
  const { manager, requested, schedule } = limited()
  for (const id of ['a', 'b', 'c']) schedule(id)
  vi.advanceTimersByTime(3000)
  expect(requested).toEqual(['a'])
  manager.cancelPendingPhoneRequest('b')
  vi.advanceTimersByTime(59_999)
  expect(requested).toEqual(['a'])
  vi.advanceTimersByTime(1)
  expect(requested).toEqual(['a', 'c'])
  schedule('d')
  vi.advanceTimersByTime(59_999)
  expect(requested).toHaveLength(2)
  vi.advanceTimersByTime(60_000)
  expect(requested).toEqual(['a', 'c', 'd'])
  schedule('e')
  vi.advanceTimersByTime(60_000)
  expect(requested).toEqual(['a', 'c', 'd', 'e'])
})

it('gives up the oldest of very many, and all when the connection ends', () => {
  const { manager, requested, schedule } = limited()
  for (let n = 0; n < 150; n++) schedule(`m${n}`)
  vi.advanceTimersByTime(3000)
  expect(requested).toEqual(['m50'])
  manager.clear()
  vi.advanceTimersByTime(600_000)
  expect(requested).toEqual(['m50'])
  expect(vi.getTimerCount()).toBe(0)
})

it('leaves messages for a repeat to the vault', () => {
  const { manager } = limited()
  manager.addRecentMessage('12025550100@s.whatsapp.net', 'a', { conversation: 'hello' })
  expect(manager.getRecentMessage('12025550100@s.whatsapp.net', 'a')).toBeUndefined()
})
