import { describe, expect, it, vi } from 'vitest'
import { isMessagingError, MessagingError } from './error.ts'

const fields = { code: 'OTP_EXPIRED', message: 'The code has expired.' }

describe('a MessagingError', () => {
  it('of another copy of the package is one, as an application and its fake service have two', async () => {
    vi.resetModules()
    const copy = await import('./error.ts')
    expect(copy.MessagingError).not.toBe(MessagingError)
    const error = new copy.MessagingError(fields)
    expect(error).toBeInstanceOf(MessagingError)
    expect(isMessagingError(error, 'OTP_EXPIRED')).toBe(true)
  })

  it('is no other error, and no subclass of its own kind', () => {
    class Refined extends MessagingError {}
    const others = [new Error('x'), null, undefined, 'OTP_EXPIRED', { ...new MessagingError(fields) }]
    for (const other of others) {
      expect(other instanceof MessagingError).toBe(false)
      expect(isMessagingError(other)).toBe(false)
    }
    expect(new MessagingError(fields)).not.toBeInstanceOf(Refined)
    expect(new Refined(fields)).toBeInstanceOf(Refined)
    expect(new Refined(fields)).toBeInstanceOf(MessagingError)
  })
})
