import { describe, expect, it } from 'vitest'
import { isRegisteredRedirect, redirectKind } from './redirect-address.ts'

describe('redirect addresses', () => {
  it.each([
    ['https://ai.example.com/callback', 'web'],
    ['https://ai.example.com/callback?x=1', 'web'],
    ['https://vscode.dev/redirect', 'web'],
    ['http://127.0.0.1:33418', 'loopback'],
    ['http://127.0.0.1/callback', 'loopback'],
    ['http://[::1]:8080/callback', 'loopback'],
    ['http://localhost:60351/callback', 'loopback'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'program'],
    ['com.example.app:/oauth', 'program'],
    ['http://ai.example.com/callback', null],
    ['http://10.0.0.1/callback', null],
    ['http://127.0.0.2/callback', null],
    ['http://localhost.evil.com/callback', null],
    ['https://user@ai.example.com/callback', null],
    ['https://user:secret@ai.example.com/', null],
    ['https://ai.example.com/#fragment', null],
    ['https://ai.example.com/#', null],
    ['https://*.example.com/callback', null],
    ['https://ai.example.com/a*', null],
    ['javascript:alert(1)', null],
    ['JavaScript:alert(1)', null],
    ['data:text/html,hi', null],
    ['file:///etc/passwd', null],
    ['blob:https://ai.example.com/1', null],
    ['about:blank', null],
    ['vbscript:x', null],
    ['//ai.example.com/callback', null],
    ['/callback', null],
    ['', null],
    ['https://ai.example.com\\@evil.com/', null],
    ['https://ai.example.com/\u0000', null],
    [' https://ai.example.com/', null],
    [`https://ai.example.com/${'x'.repeat(2000)}`, null],
  ])('%s', (address, kind) => {
    expect(redirectKind(address)).toBe(kind)
  })

  it.each([
    ['https://a.example/cb', 'https://a.example/cb', true],
    ['https://a.example/cb', 'https://a.example/cb/', false],
    ['https://a.example/cb', 'https://a.example/cb?x=1', false],
    ['https://a.example/cb', 'https://a.example:444/cb', false],
    ['https://a.example/cb', 'https://A.example/cb', false],
    ['https://a.example/cb', 'https://a.example/cb/../x', false],
    ['https://a.example/cb', 'https://a.example.evil.com/cb', false],
    ['http://localhost/callback', 'http://localhost:60351/callback', true],
    ['http://127.0.0.1:33418', 'http://127.0.0.1:50000', true],
    ['http://127.0.0.1:33418/', 'http://127.0.0.1:33418', false],
    ['http://localhost/callback', 'http://localhost:1/other', false],
    ['http://localhost/callback', 'http://127.0.0.1:1/callback', false],
    ['http://localhost/callback', 'http://localhost:1@evil.com/callback', false],
    ['cursor://x/cb', 'cursor://x/cb', true],
    ['cursor://x/cb', 'cursor://x:80/cb', false],
  ])('a client of %s may come back at %s: %s', (registered, address, allowed) => {
    expect(isRegisteredRedirect([registered], address)).toBe(allowed)
  })
})
