import { describe, expect, it } from 'vitest'
import { hashPassword, isPassword } from './password.ts'

describe('passwords', () => {
  it('are known by their hash, which is another one each time', async () => {
    const [one, two] = await Promise.all([hashPassword('a long password'), hashPassword('a long password')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
    expect(await isPassword(one, 'a long password')).toBe(true)
    expect(await isPassword(one, 'a long passwore')).toBe(false)
  })

  it('are never right without a hash, not even the one that is compared instead', async () => {
    expect(await isPassword(null, 'a password of no account')).toBe(false)
  })
})
