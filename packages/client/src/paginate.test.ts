import { describe, expect, it } from 'vitest'
import { connect, errorFrom } from './test/connect.ts'
import { type Answer, failure, json } from './test/scripted-server.ts'

async function idsOf(rows: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const row of rows) ids.push(row.id)
  return ids
}

/** Serves pages of a list, newest first, that the test can change between two pages. */
function pagesOf(list: () => string[], key: string): Answer {
  return (response, request) => {
    const page = Number(request.query.get('page') ?? 1)
    const limit = Number(request.query.get('limit') ?? 50)
    const ids = list()
    const rows = ids.slice((page - 1) * limit, page * limit).map((id) => ({ id }))
    return json(200, { success: true, total: ids.length, page, limit, [key]: rows })(response, request)
  }
}

const numbered = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => `r${from - i}`)

describe('all()', () => {
  it('reads page after page and requests no extra page', async () => {
    const { client, server } = await connect(
      {},
      pagesOf(() => numbered(6, 1), 'reminders'),
    )
    expect(await idsOf(client.reminders.list.all({ limit: 2, status: 'scheduled' }))).toEqual(numbered(6, 1))
    expect(server.requests.map(({ query }) => query.toString())).toEqual([
      'limit=2&status=scheduled',
      'limit=2&status=scheduled&page=2',
      'limit=2&status=scheduled&page=3',
    ])
  })

  it('becomes a list of at most so many rows', async () => {
    const { client, server } = await connect(
      {},
      pagesOf(() => numbered(6, 1), 'reminders'),
    )
    const rows = await client.reminders.list.all({ limit: 2 }).toArray(3)
    expect(rows.map(({ id }) => id)).toEqual(numbered(6, 4))
    expect(server.requests).toHaveLength(2)
    expect(await client.reminders.list.all({ limit: 2 }).toArray()).toHaveLength(6)
  })

  it('yields a row once although newer rows shift it to a later page', async () => {
    let newest = 6
    const { client } = await connect(
      {},
      pagesOf(() => numbered(newest, 1), 'reminders'),
    )
    const ids: string[] = []
    for await (const { id } of client.reminders.list.all({ limit: 2 })) {
      ids.push(id)
      if (ids.length === 2) newest += 2
    }
    expect(ids).toEqual(numbered(6, 1))
  })

  it('follows the cursor where the response has one, until it is null', async () => {
    const page = (ids: string[], nextCursor: string | null): Answer =>
      json(200, { success: true, total: 99, page: 1, limit: 2, messages: ids.map((id) => ({ id })), nextCursor })
    const { client, server } = await connect({}, page(['a', 'b'], 'c1'), page(['b', 'c'], 'c2'), page([], null))
    expect(await idsOf(client.messages.list.all({ type: 'otp' }))).toEqual(['a', 'b', 'c'])
    expect(server.requests.map(({ query }) => query.get('cursor'))).toEqual([null, 'c1', 'c2'])
    expect(server.requests.every(({ query }) => query.get('type') === 'otp')).toBe(true)
  })

  it('reads the event log up to now, although its cursor never ends', async () => {
    const page = (ids: string[], nextCursor: string, hasMore: boolean): Answer =>
      json(200, { success: true, events: ids.map((id) => ({ id })), nextCursor, hasMore })
    const { client, server } = await connect(
      {},
      page(['a'], 'p1', true),
      page([], 'p2', true),
      page(['b'], 'p3', false),
    )
    expect(await idsOf(client.events.list.all({ types: ['message.failed', 'message.read'] }))).toEqual(['a', 'b'])
    expect(server.requests.map(({ query }) => query.get('after'))).toEqual([null, 'p1', 'p2'])
    expect(server.requests[0]?.query.get('types')).toBe('message.failed,message.read')
  })

  it('ends when a cursor repeats', async () => {
    const stuck = json(200, { success: true, events: [{ id: 'a' }], nextCursor: 'p', hasMore: true })
    const { client, server } = await connect({}, stuck)
    expect(await idsOf(client.events.list.all())).toEqual(['a'])
    expect(server.requests).toHaveLength(2)
  })

  it('distinguishes rows without an id by their phone or content', async () => {
    const page = (key: string, rows: unknown[]) =>
      json(200, { success: true, total: rows.length, page: 1, limit: 9, [key]: rows })
    const row = { at: '2026-01-01T00:00:00Z', from: 'STARTING', to: 'WORKING' }
    const { client } = await connect(
      {},
      page('recipients', [{ phone: '1' }, { phone: '2' }, { phone: '1' }]),
      page('history', [row, { ...row, to: 'FAILED' }, row]),
    )
    const people = []
    for await (const { phone } of client.campaigns.recipients.all({ id: 'c' })) people.push(phone)
    const moves = []
    for await (const { to } of client.numbers.history.all()) moves.push(to)
    expect([people, moves]).toEqual([
      ['1', '2'],
      ['WORKING', 'FAILED'],
    ])
  })

  it('fetches nothing after the loop is left, and throws the error of a page', async () => {
    const { client, server } = await connect(
      {},
      pagesOf(() => numbered(6, 1), 'reminders'),
      failure(401, 'AUTH_ERROR'),
    )
    for await (const _ of client.reminders.list.all({ limit: 2 })) break
    expect(server.requests).toHaveLength(1)
    expect(await errorFrom(idsOf(client.reminders.list.all()))).toMatchObject({ code: 'AUTH_ERROR' })
  })
})
