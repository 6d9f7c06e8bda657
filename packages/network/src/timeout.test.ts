import { getEventListeners, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { collectGarbage } from './testing/collect-garbage.ts'
import { settlesWithin, startTimeLimit, withTimeout } from './timeout.ts'

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

describe('work with a timeout', () => {
  const late = new Error('late')

  it('returns and throws what the work does in time', async () => {
    expect(await withTimeout(10_000, Promise.resolve('done'), () => late)).toBe('done')
    const failure = new Error('failed')
    await expect(withTimeout(10_000, Promise.reject(failure), () => late)).rejects.toBe(failure)
    expect(await settlesWithin(10_000, Promise.resolve())).toBe(true)
    await expect(settlesWithin(10_000, Promise.reject(failure))).rejects.toBe(failure)
  })

  it('is given up when the time is over', async () => {
    await expect(withTimeout(1, new Promise(() => {}), () => late)).rejects.toBe(late)
    expect(await settlesWithin(1, new Promise(() => {}))).toBe(false)
  })

  it('drops a failure that comes later', async () => {
    let fail: (error: Error) => void = () => undefined
    const work = new Promise<never>((_, reject) => {
      fail = reject
    })
    await expect(withTimeout(1, work, () => late)).rejects.toBe(late)
    fail(new Error('too late'))
  })
})
