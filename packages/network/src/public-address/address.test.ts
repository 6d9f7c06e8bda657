import { describe, expect, it } from 'vitest'
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

  // What a machine in a cloud reaches of the cloud itself: metadata, agents of the host, and services that trust it.
  it.each([
    ['AWS, Google, Azure, Oracle, IBM and others', '169.254.169.254'],
    ['AWS: tasks of ECS', '169.254.170.2'],
    ['AWS: pods of EKS', '169.254.170.23'],
    ['AWS: time', '169.254.169.123'],
    ['AWS, over IPv6', 'fd00:ec2::254'],
    ['AWS: pods of EKS, over IPv6', 'fd00:ec2::23'],
    ['Google, over IPv6', 'fd20:ce::254'],
    ['Google: private.googleapis.com', '199.36.153.8'],
    ['Google: restricted.googleapis.com', '199.36.153.7'],
    ['Azure: agent of the host', '168.63.129.16'],
    ['Azure, wrapped into IPv6', '::ffff:168.63.129.16'],
    ['Azure, wrapped into IPv6 as hex', '::ffff:a83f:8110'],
    ['Alibaba', '100.100.100.200'],
    ['Oracle, the older form', '192.0.0.192'],
    ['Oracle, over IPv6', 'fd00:c1::a9fe:a9fe'],
    ['Tencent', '169.254.0.23'],
    ['OpenStack, over IPv6', 'fe80::a9fe:a9fe'],
    ['Scaleway', '169.254.42.42'],
    ['Scaleway, over IPv6', 'fd00:42::42'],
    ['Equinix', '192.80.8.124'],
    ['IBM: infrastructure', '161.26.0.10'],
    ['IBM: services', '166.9.1.1'],
    ['IBM: the last one', '166.11.255.255'],
  ])('refuses the inside of %s: %s', (_cloud, address) => {
    expect(mayReach(address, nothing)).toBe(false)
  })

  it.each([
    '168.63.129.15',
    '168.63.129.17',
    '192.80.8.123',
    '199.36.153.3',
    '199.36.153.12',
    '161.27.0.1',
    '166.12.0.0',
  ])('takes %s, which is beside one of them', (address) => {
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

  it.each(['home', '10.0.0.0/33', '10.0.0.0/', ''])('refuses %j as a range', (range) => {
    expect(() => readRanges([range])).toThrow()
  })
})
