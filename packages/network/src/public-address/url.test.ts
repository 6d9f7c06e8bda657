import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { privateHosts } from '../testing/private-hosts.ts'
import { judgeUrl, maxUrlLength } from './url.ts'

const badForms = [
  ['http://user:pw@example.com/', 'user name or password'],
  ['http://user@example.com/', 'user name or password'],
  ['file:///etc/passwd', 'http or https'],
  ['ftp://example.com/', 'http or https'],
  ['data:text/plain,hello', 'http or https'],
  ['gopher://example.com/', 'http or https'],
  ['http://example.com/\r\nX-Other: 1', 'line breaks'],
  ['http://exa\tmple.com/', 'control characters'],
  [' http://example.com/', 'spaces'],
  ['http://[fe80::1%25eth0]/', 'complete'],
  ['http://', 'complete'],
  ['example.com/hook', 'complete'],
  ['', 'complete'],
  ['http://example.com:22/', 'port 22'],
  ['http://example.com:0/', 'port 0'],
  ['http://example.com:6379/', 'port 6379'],
  [`https://example.com/${'a'.repeat(2000)}`, '2000 characters'],
] as const

const publicUrls = [
  'https://example.com/hook?x=1#y',
  'http://example.com:80/',
  'https://example.com:443/',
  'https://example.com:8443/',
  'http://93.184.216.34/',
  'http://[2606:2800:220:1:248:1893:25c8:1946]/',
  'https://bücher.example/',
  `https://example.com/${'a'.repeat(1980)}`,
]

describe('judging an address that a stranger gives us', () => {
  it.each(privateHosts)('refuses the host %s, in http and https', (host) => {
    for (const scheme of ['http', 'https']) {
      expect(judgeUrl(`${scheme}://${host}/hook`).refusal).toMatch(
        /^must be a public address, and .+ is private or local$/,
      )
    }
  })

  it.each(badForms)('refuses %j with the reason', (text, why) => {
    expect(judgeUrl(text).refusal).toContain(why)
  })

  it.each(publicUrls)('accepts %s', (text) => {
    expect(judgeUrl(text)).toEqual({ url: new URL(text) })
  })

  it('accepts private addresses inside the allowed ranges only', () => {
    const judge = (host: string) => judgeUrl(`http://${host}:8080/`, ['127.0.0.1/32', 'fd00::/8']).refusal
    expect(judge('127.0.0.1')).toBeUndefined()
    expect(judge('[::ffff:127.0.0.1]')).toBeUndefined()
    expect(judge('[fd00::7]')).toBeUndefined()
    expect(judge('localhost')).toBeUndefined()
    expect(judge('receiver')).toBeUndefined()
    expect(judge('127.0.0.2')).toBeDefined()
    expect(judge('10.0.0.1')).toBeDefined()
    expect(judge('[::1]')).toBeDefined()
  })

  it('does not take localhost for allowed when other private ranges are', () => {
    expect(judgeUrl('http://localhost/', ['10.0.0.0/8']).refusal).toContain('localhost')
  })

  it('names an allowed range that cannot be read', () => {
    expect(() => judgeUrl('http://example.com/', ['10.0.0.0/8', 'home'])).toThrow('"home" is not an address range')
  })
})

it('the longest address is that of the contract', () => {
  expect(maxUrlLength).toBe(limits.webhookUrl)
})
