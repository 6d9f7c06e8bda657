import { getEventListeners, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { collectGarbage } from '../testing/collect-garbage.ts'
import { startTimeLimit } from './time-limit.ts'

describe('a time limit', () => {
  it('fires although only its signal is kept and garbage is collected', async () => {
    const { signal } = startTimeLimit(50, new AbortController().signal)
    collectGarbage()
    await once(signal, 'abort')
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
  })

  it('ends with the other signal, also with one that has aborted before', () => {
    const other = new AbortController()
    const limit = startTimeLimit(60_000, other.signal)
    expect(limit.signal.aborted).toBe(false)
    other.abort('left')
    expect([limit.signal.reason, startTimeLimit(60_000, other.signal).signal.reason]).toEqual(['left', 'left'])
  })

  it('keeps no listener and never fires once it has ended', () => {
    const other = new AbortController()
    const limit = startTimeLimit(60_000, other.signal)
    limit.end()
    expect(getEventListeners(other.signal, 'abort')).toEqual([])
    other.abort()
    expect(limit.signal.aborted).toBe(false)
  })
})
