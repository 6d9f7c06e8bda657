import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Presence } from './presence.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function shown() {
  const states: boolean[] = []
  const presence = new Presence(async (isAvailable) => void states.push(isAvailable))
  return { states, presence }
}

it('is available from the first message until a minute after the last one', () => {
  const { states, presence } = shown()
  presence.active()
  vi.advanceTimersByTime(59_000)
  presence.active()
  vi.advanceTimersByTime(59_000)
  expect(states).toEqual([true])
  vi.advanceTimersByTime(1000)
  expect(states).toEqual([true, false])
  presence.active()
  expect(states).toEqual([true, false, true])
})

it('reports nothing after its connection has ended, and again over the next one', () => {
  const { states, presence } = shown()
  presence.active()
  presence.end()
  vi.advanceTimersByTime(120_000)
  expect(states).toEqual([true])
  presence.active()
  expect(states).toEqual([true, true])
})

it('survives a network that does not respond', async () => {
  vi.useRealTimers()
  const presence = new Presence(() => Promise.reject(new Error('closed')))
  presence.active()
  await wait(1)
  presence.end()
})
