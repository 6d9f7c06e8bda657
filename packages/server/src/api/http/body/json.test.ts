import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { parseScanned } from './json.ts'
import { scanBody } from './scan.ts'

const lists = {
  marks: limits.bulkListMarks,
  entryMarks: limits.bulkEntryMarks,
  entries: limits.bulkEntries,
  textBytes: limits.bulkTextBytes,
}

/** Parses as a bulk route does, the bytes in pieces of `chunk`. */
async function parsed(text: string, chunk = 1000): Promise<unknown> {
  const bytes = Buffer.from(text)
  const scan = scanBody({ marks: 20_000, lists })
  for (let at = 0; at < bytes.length; at += chunk) scan.read(bytes.subarray(at, at + chunk))
  return parseScanned(bytes, scan)
}

const long = Array.from({ length: 5000 }, (_, n) => ({ n, 'a"]},[{:\\': [`\\"${n}[,`, null, 1.5e3, { ü: '☎️' }] }))

describe('a body that is parsed in parts', () => {
  it.each<[string, unknown]>([
    ['a long list', { name: 'x', rows: long, z: [] }],
    ['two long lists and lists of one', { a: long, b: [1], c: long, d: [[1], [2]], e: { f: [1, 2] } }],
    ['a list of texts', { phones: long.map(({ n }) => `${n}${'x'.repeat(30)}`) }],
    ['no list', { a: 1 }],
    ['a list instead of an object', [1, [2, 3]]],
    ['one value', 'text'],
    ['a list in a field whose name is escaped', { 'quote"': [1, 2] }],
  ])('is what it is whole: %s', async (_what, value) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      expect(await parsed(text)).toEqual(value)
      expect(await parsed(text, 7)).toEqual(value)
    }
  })

  it('keeps the last of two fields with one name', async () => {
    expect(await parsed('{"a":[1,2],"a":[3]}')).toEqual({ a: [3] })
    expect(await parsed('{"a":[1,2],"a":0}')).toEqual({ a: 0 })
  })

  it.each([
    '{"a":[1,,2]}',
    '{"a":[1,2,]}',
    '{"a":[,1]}',
    '{"a":[1 2]}',
    '{"a":[1,2}',
    '{"a":[1}]',
    '{"a":[1,2]',
    '{"a":[1,2]]}',
    '{"a":[1]}{"a":[2]}',
    '{"a":[1]}[2]',
    '{"a":["b]}',
    '{"a":[\ufeff1]}',
    ']{"a":[1]}[',
    `{"a":[${'[[1],['.repeat(5)}`,
    `{"a":[${'"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",'.repeat(2000)}]}`,
    `{"a":[${'"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",'.repeat(2000)},1]}`,
  ])('is refused when it is not JSON: %.40s', async (text) => {
    expect(() => JSON.parse(text)).toThrow()
    await expect(parsed(text)).rejects.toMatchObject({ code: 'INVALID_JSON' })
  })

  it('is freed of every __proto__, however it is spelled', async () => {
    const read = (await parsed('{"__proto__":[1],"a":[{"\\u005f_proto__":{"b":1},"c":1}]}')) as { a: object[] }
    expect([Object.keys(read), Object.keys(read.a[0] ?? {})]).toEqual([['a'], ['c']])
  })
})
