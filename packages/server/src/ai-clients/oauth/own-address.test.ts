import { describe, expect, it } from 'vitest'
import { isOwnOrigin, ownAddress } from './own-address.ts'

const settings = (publicUrl: string | null, host = '127.0.0.1') => ({
  host,
  mcp: { enabled: true, publicUrl, allowedOrigins: ['https://ai.example.com'] },
})

describe('the Host of a request', () => {
  it.each<[string, string | null, string, string | undefined, string | null | undefined]>([
    ['this machine', null, '127.0.0.1', '127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['localhost', null, '127.0.0.1', 'localhost:3000', 'http://localhost:3000'],
    ['IPv6', null, '::1', '[::1]:3000', 'http://[::1]:3000'],
    ['a name that was pointed here', null, '127.0.0.1', 'evil.example.com', undefined],
    ['a name that looks like this machine', null, '127.0.0.1', 'localhost.evil.com', undefined],
    ['none', null, '127.0.0.1', undefined, undefined],
    ['a user', null, '127.0.0.1', 'x@localhost', undefined],
    ['any, on a public address without PUBLIC_URL', null, '0.0.0.0', 'msg.example.com', null],
    ['the own one', 'https://msg.example.com', '0.0.0.0', 'msg.example.com', 'https://msg.example.com'],
    [
      'the own one with its port',
      'https://msg.example.com',
      '0.0.0.0',
      'msg.example.com:443',
      'https://msg.example.com',
    ],
    ['another port', 'https://msg.example.com', '0.0.0.0', 'msg.example.com:8443', undefined],
    ['another name', 'https://msg.example.com', '0.0.0.0', 'evil.example.com', undefined],
    ['this machine on a public address', 'https://msg.example.com', '0.0.0.0', 'localhost', undefined],
    [
      'this machine behind a proxy on it',
      'https://msg.example.com',
      '127.0.0.1',
      '127.0.0.1:3000',
      'https://msg.example.com',
    ],
    ['http in public', 'http://msg.example.com', '0.0.0.0', 'msg.example.com', null],
    ['a path', 'https://msg.example.com/msg', '0.0.0.0', 'msg.example.com', null],
  ])('%s', (_name, publicUrl, host, header, issuer) => {
    expect(ownAddress(settings(publicUrl, host), header)?.issuer).toBe(issuer)
  })
})

describe('the Origin of a request', () => {
  const own = { issuer: 'https://msg.example.com', origin: 'https://msg.example.com' }
  it.each([
    ['of a program', undefined, '0.0.0.0', true],
    ['of the service', 'https://msg.example.com', '0.0.0.0', true],
    ['of an allowed website', 'https://ai.example.com', '0.0.0.0', true],
    ['of an allowed website by http', 'http://ai.example.com', '0.0.0.0', false],
    ['of a subdomain', 'https://x.ai.example.com', '0.0.0.0', false],
    ['of another website', 'https://evil.example.com', '0.0.0.0', false],
    ['null', 'null', '127.0.0.1', false],
    ['of this machine', 'http://localhost:6274', '127.0.0.1', true],
    ['of this machine, in public', 'http://localhost:6274', '0.0.0.0', false],
  ])('%s', (_name, origin, host, allowed) => {
    expect(isOwnOrigin(settings('https://msg.example.com', host), own, origin)).toBe(allowed)
  })
})
