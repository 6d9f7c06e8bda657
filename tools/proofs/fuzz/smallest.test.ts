import { describe, expect, it } from 'vitest'
import type { Operation } from './document.ts'
import type { RequestDraft } from './request-builder.ts'
import { smallest } from './smallest.ts'

const draft: RequestDraft = {
  operation: { id: 'alert.send' } as Operation,
  params: new Map(),
  query: ['limit=1', 'search=%00', 'page=2'],
  headers: [
    ['X-API-Key', 'a'],
    ['Accept', 'text/html'],
  ],
  json: { phone: '+12025550100', list: ['a', 'b', { deep: 'odd', other: 1 }, 'c'], message: 'hello' },
  rawBody: undefined,
  changes: [],
}

describe('a request that failed', () => {
  it('is made smaller until nothing more can be left out', async () => {
    const small = await smallest(draft, async ({ query, json }) => {
      return query.includes('search=%00') && JSON.stringify(json).includes('"deep":"odd"')
    })
    expect(small).toMatchObject({ query: ['search=%00'], headers: [], json: { list: [{ deep: 'odd' }] } })
    expect(Object.keys(small.json as object)).toEqual(['list'])
    expect(draft.query).toHaveLength(3)
  })

  it('stays as it is when it does not fail again', async () => {
    expect(await smallest(draft, async () => false)).toBe(draft)
  })

  it('keeps bytes that are no JSON', async () => {
    const raw = { ...draft, rawBody: Buffer.from('{') }
    expect(await smallest(raw, async ({ rawBody }) => rawBody !== undefined)).toMatchObject({
      ...{ query: [], headers: [], rawBody: raw.rawBody },
    })
  })
})
