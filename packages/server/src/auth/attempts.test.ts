import { describe, expect, it } from 'vitest'
import { networkOf } from '../http/client-ip.ts'

describe('what stands for an address in a limit', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::1', '2001:db8:1:2::'],
    ['2001:db8:1:3::1', '2001:db8:1:3::'],
    ['::1', '::'],
    ['', ''],
  ])('of %s is %s', (ip, expected) => {
    expect(networkOf(ip)).toBe(expected)
  })
})
