import { messageStatuses, messageTypes } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { storeMessages } from '#testing/stored-messages.ts'

// Without a worker nothing moves but what the test moves.
const server = await startTestServer({ worker: false })
await server.services.clock.freeze()
const { db } = server

async function organizationWith(...groups: readonly Parameters<typeof storeMessages>[2][]) {
  const organization = await makeOrganization(server)
  for (const group of groups) await storeMessages(db, organization.organizationId, group)
  return { ...organization, client: server.client(organization) }
}

/** The ids of an organization's messages as a plain query orders them. */
async function newestFirst(organizationId: string, condition = 'true'): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select id from messages where organization_id = :organizationId and ${condition}
      order by created_at desc, id desc`,
    { organizationId },
  )
  return found.map(({ id }) => id)
}

const hourMs = 3_600_000

describe('GET /messages', () => {
  it('returns rows, order and total of every filter', async () => {
    const groups = messageTypes.flatMap((type, t) =>
      messageStatuses.map((status, s) => ({ type, status, count: 1 + ((t + s) % 3), ageMs: (s * 7 + t) * 1000 })),
    )
    const { client, organizationId } = await organizationWith(...groups)
    for (const type of [undefined, ...messageTypes]) {
      for (const status of [undefined, ...messageStatuses]) {
        const condition = `${type ? `type = '${type}'` : 'true'} and ${status ? `status = '${status}'` : 'true'}`
        const expected = await newestFirst(organizationId, condition)
        const answer = await client.messages.list({ ...(type && { type }), ...(status && { status }), limit: 100 })
        expect(answer.messages.map(({ id }) => id)).toEqual(expected)
        expect(answer.total).toBe(expected.length)
        expect(answer.nextCursor).toBeNull()
        const found = await client.messages.list({ ...(type && { type }), ...(status && { status }), search: 'STORED' })
        expect(found.messages.map(({ id }) => id)).toEqual(expected.slice(0, 50))
        expect(found.total).toBe(expected.length)
      }
    }
  })

  it('has pages that together are the whole list, near ones and far ones', async () => {
    const spread = { spacingMs: 60_000, count: 1300 }
    const { client, organizationId } = await organizationWith(
      spread,
      { ...spread, type: 'otp', status: 'read', ageMs: 10 },
      { count: 1, type: 'bulk', ageMs: 500 * hourMs },
    )
    for (const filter of [{}, { type: 'otp' }, { status: 'delivered' }] as const) {
      const conditions = Object.entries(filter).map(([column, value]) => `${column} = '${value}'`)
      const expected = await newestFirst(organizationId, conditions.join(' and ') || 'true')
      for (const page of [1, 2, 10, 11, 12, 13, 14, 26, 27, 28, 1_000_000]) {
        const answer = await client.messages.list({ ...filter, page, limit: 100 })
        expect(answer.messages.map(({ id }) => id)).toEqual(expected.slice((page - 1) * 100, page * 100))
        expect(answer.total).toBe(expected.length)
        expect(answer.nextCursor === null).toBe(page * 100 >= expected.length)
      }
    }
  })

  it('does not shift a reader who follows the cursor while messages arrive, also within one millisecond', async () => {
    const { client, organizationId } = await organizationWith({ count: 230 }, { count: 30, ageMs: 1 })
    const expected = await newestFirst(organizationId)
    for (const filter of [{}, { status: 'delivered' }, { search: 'stored' }] as const) {
      const read: string[] = []
      let cursor: string | undefined
      do {
        const answer = await client.messages.list({ ...filter, limit: 17, ...(cursor !== undefined && { cursor }) })
        read.push(...answer.messages.map(({ id }) => id))
        cursor = answer.nextCursor ?? undefined
        await server.advance(1)
        await storeMessages(db, organizationId, { count: 3, content: 'stored between two pages' })
      } while (cursor !== undefined)
      expect(read.slice(-expected.length)).toEqual(expected)
      expect(new Set(read).size).toBe(read.length)
    }
  })

  it('finds part of a recipient however the number is typed, and part of a text in any case', async () => {
    const { client } = await organizationWith(
      { recipient: '12025550177', content: 'Your table' },
      { recipient: '493012345', content: 'call +1 (202) 555-0177 100%' },
    )
    const texts = async (search: string) => (await client.messages.list({ search })).messages.map((m) => m.content)
    expect(await texts('+1 202-555.0177')).toEqual(['Your table'])
    expect((await texts('+1 (202) 555-0177')).sort()).toEqual(['Your table', 'call +1 (202) 555-0177 100%'])
    expect(await texts('TABLE')).toEqual(['Your table'])
    expect(await texts('0%')).toEqual(['call +1 (202) 555-0177 100%'])
    expect(await texts('y_ur')).toEqual([])
    expect(await texts('30 12345')).toEqual(['call +1 (202) 555-0177 100%'])
  })

  it('counts the matches of a search up to 1,000, says when there are more; there the cursor continues', async () => {
    const { client } = await organizationWith({ count: 1001 })
    const page = await client.messages.list({ search: 'stored', page: 10, limit: 100 })
    expect(page).toMatchObject({ total: 1000, totalIsExact: false })
    expect(page.messages).toHaveLength(100)
    await expect(client.messages.list({ search: 'stored', page: 11, limit: 100 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { page: expect.any(Array) },
    })
    const rest = await client.messages.list({ search: 'stored', limit: 100, cursor: page.nextCursor ?? '' })
    expect(rest.messages).toHaveLength(1)
    const { totalIsExact, total } = await (await organizationWith({ count: 1000 })).client.messages.list({
      search: 'a',
    })
    expect({ totalIsExact, total }).toEqual({ totalIsExact: undefined, total: 1000 })
  })

  it('returns the page in which the counted rows of a search end, with a cursor after the last of them', async () => {
    const last = { search: 'stored', page: 34, limit: 30 }
    const few = await organizationWith({ count: 995 })
    const fewOrdered = await newestFirst(few.organizationId)
    const page = await few.client.messages.list(last)
    expect(page).toMatchObject({ total: 995, page: 34, limit: 30, nextCursor: null })
    expect(page.messages.map(({ id }) => id)).toEqual(fewOrdered.slice(990))

    const many = await organizationWith({ count: 1040 })
    const ordered = await newestFirst(many.organizationId)
    const cut = await many.client.messages.list(last)
    expect(cut).toMatchObject({ total: 1000, totalIsExact: false })
    expect(cut.messages.map(({ id }) => id)).toEqual(ordered.slice(990, 1000))
    const rest = await many.client.messages.list({ search: 'stored', limit: 30, cursor: cut.nextCursor ?? '' })
    expect(rest.messages.map(({ id }) => id)).toEqual(ordered.slice(1000, 1030))
    await expect(many.client.messages.list({ ...last, page: 35 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { page: expect.any(Array) },
    })
  })

  const forged = (at: string, id = '00000000-0000-0000-0000-000000000000') =>
    Buffer.from(`${at} ${id}`).toString('base64url')

  it.each([
    'nonsense',
    'MjAyNi0xMC0wMVQwMDowMDowMC4wMDBa',
    '',
    forged('0000-01-01T00:00:00.000Z'),
    forged('2024-02-31T00:00:00.000Z'),
    forged('2024-01-01T24:00:00.000Z'),
    forged('2024-01-01T00:00:60.000Z'),
    forged('2024-01-01T00:00:00.0000Z'),
    forged('2024-01-01T00:00:00Z'),
    forged('2024-01-01T00:00:00.000Z', 'x'),
  ])('refuses the cursor %j', async (cursor) => {
    const { client } = await organizationWith()
    await expect(client.messages.list({ cursor })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { cursor: expect.any(Array) },
    })
    await expect(client.messages.list({ cursor, search: 'a' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it.each(['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])('takes the cursor of %s', async (at) => {
    const { client } = await organizationWith({ count: 1 })
    const { messages } = await client.messages.list({ cursor: forged(at) })
    expect(messages).toHaveLength(at.startsWith('9') ? 1 : 0)
  })
})

describe('GET /stats', () => {
  it('counts the messages of the organization, and no others', async () => {
    const { client } = await organizationWith(
      { type: 'alert', status: 'queued', count: 1 },
      { type: 'alert', status: 'sent', count: 2, ageMs: 25 * hourMs },
      { type: 'bulk', status: 'delivered', count: 3, ageMs: 24 * hourMs },
      { type: 'otp', status: 'read', count: 4, ageMs: 24 * hourMs - 1 },
      { type: 'bulk', status: 'failed', count: 5, ageMs: 8 * 24 * hourMs },
    )
    await organizationWith({ count: 50 })
    expect(await client.messages.stats()).toEqual({
      success: true,
      totalMessages: 15,
      sent: 9,
      delivered: 7,
      failed: 5,
      alerts: 3,
      bulk: 8,
      otp: 4,
      last24h: 5,
      last7d: 10,
      held: { total: 0, rules: {} },
    })
  })
})
