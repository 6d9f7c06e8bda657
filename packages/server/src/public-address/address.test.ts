import { describe, expect, it } from 'vitest'
import { readConfig } from '../process/config.ts'
import { mayReach, readRanges } from './address.ts'

const nothing = readRanges([])

describe('the addresses a socket may go to', () => {
  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:10.0.0.1',
    'fe80::1%eth0',
    '2606:2800:220:1::1%eth0',
    '169.254.169.254',
    '64:ff9b:1::1',
    '::127.0.0.1',
    '::7f00:1',
    '100::1',
    '5f00::1',
    '3fff::1',
    '2001:2::1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '',
    'example.com',
    '127.0.0.1/8',
  ])('refuses %j', (address) => {
    expect(mayReach(address, nothing)).toBe(false)
  })

  it.each(['8.8.8.8', '93.184.216.34', '::ffff:8.8.8.8', '2606:4700:4700::1111'])('takes %s', (address) => {
    expect(mayReach(address, nothing)).toBe(true)
  })

  it('reads a single address as a range of one', () => {
    const one = readRanges(['10.0.0.1', '::1'])
    expect(['10.0.0.1', '::1', '10.0.0.2', '::2'].map((address) => mayReach(address, one))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it.each(['home', '10.0.0.0/33', '10.0.0.0/', 'fd00::/8,nothing'])('are not widened by the setting %j', (setting) => {
    expect(() => readConfig({ ALLOW_PRIVATE_TARGETS: setting })).toThrow(
      'ALLOW_PRIVATE_TARGETS: must be address ranges',
    )
  })
})
