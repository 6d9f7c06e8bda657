import { expect, it } from 'vitest'
import { maskProxy, parseProxy } from './proxy-address.ts'

it.each([
  ['http://10.0.0.5:3128', 'http://10.0.0.5:3128', 'http://10.0.0.5:3128'],
  [
    ' socks5://name:secret@proxy.example.com:1080\n',
    'socks5://name:secret@proxy.example.com:1080',
    'socks5://***@proxy.example.com:1080',
  ],
  ['https://name@proxy.example.com/', 'https://name@proxy.example.com', 'https://***@proxy.example.com'],
])('takes %s for a proxy, and shows it without its password', (text, address, shown) => {
  expect(parseProxy(text)).toBe(address)
  expect(maskProxy(address)).toBe(shown)
})

it.each([
  '',
  'proxy.example.com:1080',
  'ftp://a',
  'http://',
  'http://a/path',
  'http://a?x=1',
  `http://${'a'.repeat(500)}`,
])('takes %j for no proxy', (text) => {
  expect(parseProxy(text)).toBeNull()
})
