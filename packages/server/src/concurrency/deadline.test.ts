import { describe, expect, it } from 'vitest'
import { GatewayError } from '../gateway/errors.ts'
import { withTimeout } from './deadline.ts'

describe('a call with a deadline', () => {
  it('answers what the driver answers in time', async () => {
    expect(await withTimeout(10_000, Promise.resolve('taken'))).toBe('taken')
  })

  it('fails as the driver fails in time', async () => {
    const refusal = new GatewayError('rejected', 'No.')
    await expect(withTimeout(10_000, Promise.reject(refusal))).rejects.toBe(refusal)
  })

  it('is given up when the driver never answers, and nobody knows what became of it', async () => {
    await expect(withTimeout(1, new Promise(() => {}))).rejects.toMatchObject({ kind: 'timeout', outcome: 'unknown' })
  })

  it('drops a failure that comes later', async () => {
    let fail: (error: Error) => void = () => undefined
    const call = new Promise<never>((_, reject) => {
      fail = reject
    })
    await expect(withTimeout(1, call)).rejects.toMatchObject({ kind: 'timeout' })
    fail(new Error('too late'))
  })
})
