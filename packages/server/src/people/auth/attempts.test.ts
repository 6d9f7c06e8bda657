import { describe, expect, it } from 'vitest'
import { byAddress } from '#api/access/limit-key.ts'

describe('what stands for an address in a limit', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::1', '2001:db8:1:2::'],
    ['2001:db8:1:3::1', '2001:db8:1:3::'],
    ['::1', '::'],
    ['', ''],
  ])('of %s is %s', (ip, expected) => {
    expect(byAddress('sign-ins', ip).bucket).toBe(`sign-ins of ${expected}`)
  })
})
