import { describe, expect, it, vi } from 'vitest'
import { isMessagingError, MessagingError } from './error.ts'

const fields = { code: 'OTP_EXPIRED', message: 'The code has expired.' }

describe('a MessagingError', () => {
  it('of another copy of the package is recognized, such as one of a fake service', async () => {
    vi.resetModules()
    const copy = await import('./error.ts')
    expect(copy.MessagingError).not.toBe(MessagingError)
    const error = new copy.MessagingError(fields)
    expect(error).toBeInstanceOf(MessagingError)
    expect(isMessagingError(error, 'OTP_EXPIRED')).toBe(true)
  })

  it('shows its code where it is printed as text', () => {
    expect(String(new MessagingError(fields))).toBe('MessagingError [OTP_EXPIRED]: The code has expired.')
  })

  it('is not any other error, and not an instance of its subclasses', () => {
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
