import { expect, it } from 'vitest'
import { toJsonParts } from './long-response.ts'

it.each<[string, object]>([
  ['an empty one', {}],
  ['fields of all kinds', { a: 1, b: null, 'c"': 'd\n\ud800', e: undefined, f: { g: [1] }, h: true }],
  ['lists', { a: [], b: [1], c: [{ d: 'e' }, null, [2]] }],
  ['a long list', { a: Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'é'.repeat(20) })), b: 1 }],
])('builds the JSON of an object in parts: %s', async (_what, body) => {
  const parts = await toJsonParts(body)
  expect(Buffer.concat(parts).toString()).toBe(JSON.stringify(body))
  for (const { length } of parts) expect(length).toBeLessThan(256 * 1024)
})
