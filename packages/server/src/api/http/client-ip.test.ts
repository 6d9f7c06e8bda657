import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { clientIp } from './client-ip.ts'

function request(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  return { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage
}

describe("the caller's address", () => {
  it.each([
    ['is the peer without proxies', [], '203.0.113.9', undefined, '203.0.113.9'],
    ['ignores what a stranger forwards', [], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['ignores what an untrusted peer forwards', ['10.0.0.0/8'], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['is what the trusted proxy saw', ['10.0.0.0/8'], '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    [
      'is the last one that is not a proxy',
      ['10.0.0.0/8'],
      '10.1.2.3',
      '6.6.6.6, 198.51.100.1, 10.9.9.9',
      '198.51.100.1',
    ],
    ['reads mapped IPv4 as IPv4', ['127.0.0.1'], '::ffff:127.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['is the proxy when it forwards rubbish', ['10.0.0.1'], '10.0.0.1', '6.6.6.6, unknown', '10.0.0.1'],
    ['is the first proxy when all are', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.2', '10.0.0.2'],
    ['works with IPv6', ['2001:db8::/32'], '2001:db8::1', '2606:4700::1', '2606:4700::1'],
    ['reads an entry with a port', ['10.0.0.0/8'], '10.0.0.1', '203.0.113.7:4100', '203.0.113.7'],
    ['reads IPv6 with a port', ['10.0.0.0/8'], '10.0.0.1', '[2606:4700::1]:4100', '2606:4700::1'],
    ['reads IPv6 in brackets', ['10.0.0.0/8'], '10.0.0.1', '[2606:4700::1]', '2606:4700::1'],
    ['trusts a proxy with a port', ['10.0.0.0/8'], '10.0.0.1', '198.51.100.1, 10.0.0.2:443', '198.51.100.1'],
    ['is the proxy when an entry is a bare number', ['10.0.0.1'], '10.0.0.1', '3405803783', '10.0.0.1'],
    ['is the proxy when a port follows no address', ['10.0.0.1'], '10.0.0.1', 'unknown:4100', '10.0.0.1'],
    ['trusts a range of IPv6', ['fd00::/8'], 'fd00::1', '198.51.100.1, fd12::2', '198.51.100.1'],
    ['is empty once the peer is gone', ['10.0.0.0/8'], undefined, '198.51.100.1', ''],
  ])('%s', (_promise, trusted, peer, forwarded, expected) => {
    expect(clientIp(trusted)(request(peer, forwarded))).toBe(expected)
  })

  it('refuses a proxy that is no address', () => {
    expect(() => clientIp(['proxy.internal'])).toThrow('TRUSTED_PROXIES: proxy.internal')
  })
})
