import { expect, it } from 'vitest'
import { describeClient } from './describe-client.ts'

const mozilla = 'Mozilla/5.0'

it.each([
  [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox on Linux'],
  [
    `${mozilla} (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36`,
    'Chrome on Windows',
  ],
  [`${mozilla} (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
  [`${mozilla} (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${mozilla} (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['msgctl/0.1.0', 'msgctl/0.1.0'],
  ['curl/8.9.1', 'curl/8.9.1'],
  ['', null],
  ['<script>alert(1)</script>', null],
  ['Mozilla/5.0', null],
  [`${'a'.repeat(100_000)}/1`, null],
])('reads %s as %s', (userAgent, client) => {
  expect(describeClient(userAgent)).toBe(client)
})
