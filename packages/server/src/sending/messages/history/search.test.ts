import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Db, rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { testDatabase } from '#testing/database.ts'
import { storeMessages } from '#testing/stored-messages.ts'
import { rollUpCounts } from './counter-store.ts'
import { listMessages } from './list.ts'
import { everyMessage, type HistoryFilter, type HistoryPlace } from './list-store.ts'
import { searchHistory } from './search.ts'
import type { FoundIds } from './search-store.ts'
import { copyTexts } from './text-store.ts'

const { db } = await testDatabase()
await db.raw('update service_clock set frozen_at = service_now()')
const organizationId = newId()
const hourMs = 3_600_000

/** What a plain reading of every row finds, newest first. */
async function plainly(content: string, recipient: string, condition = 'true'): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select id from messages where organization_id = :organizationId and ${condition}
        and (strpos(lower(content), lower(:content)) > 0 or strpos(recipient, :recipient) > 0)
      order by created_at desc, id desc limit 1001`,
    { organizationId, content, recipient },
  )
  return found.map(({ id }) => id)
}

async function search(
  text: string,
  filter: { type?: 'otp' | 'alert'; status?: 'read' } = {},
  limit = 1001,
): Promise<readonly string[]> {
  const wanted = { ...everyMessage(organizationId), type: filter.type ?? null, status: filter.status ?? null }
  const { ids, end } = await searchHistory(db, wanted, { text, place: null, limit })
  expect(end).toBeNull()
  return ids
}

/** Where a page begins that follows on this message. */
async function placeOf(id = ''): Promise<HistoryPlace> {
  const [last] = await rows<{ createdAt: Date }>(db, 'select created_at from messages where id = :id', {
    id,
  })
  return { createdAt: last?.createdAt.toISOString() ?? '', id }
}

beforeAll(async () => {
  const of = { ageMs: hourMs, spacingMs: 1000 }
  await storeMessages(db, organizationId, {
    ...of,
    count: 20_000,
    content: 'Your order {n} is ready, 5% off.',
  })
  await storeMessages(db, organizationId, { ...of, count: 900, type: 'otp', status: 'read', content: '[OTP MESSAGE]' })
  await storeMessages(db, organizationId, {
    ageMs: 20 * hourMs,
    content: 'Käse über_all 🎉 qx',
    recipient: '4915112345678',
  })
  await storeMessages(db, organizationId, {
    ageMs: 0,
    spacingMs: 1,
    count: 70,
    content: 'Just now {n}',
    recipient: '99@lid',
  })
  await storeMessages(db, newId(), { ageMs: hourMs, content: 'Käse of another organization' })
  await rollUpCounts(db, 1000)
  await copyTexts(db)
  await db.raw('analyze messages, message_texts')
})

const texts: [text: string, recipient: string][] = [
  ['order 77', 'order 77'],
  ['ORDER 9999', 'order 9999'],
  ['is ready, 5%', '-'],
  ['+49 151 1234-5678', '4915112345678'],
  ['5112345', '5112345'],
  ['käSE', '-'],
  ['_', '-'],
  ['%', '-'],
  ['🎉', '-'],
  [' 🎉 ', '-'],
  ['qx', 'qx'],
  ['x', 'x'],
  ['7', '7'],
  ['@lid', '@lid'],
  ['Just now 6', '-'],
  ['zz', 'zz'],
  ['nothing like it', '-'],
  ['e', 'e'],
  ['\\', '-'],
]

describe('a search of a long history', () => {
  it.each(texts)('finds what a plain reading finds: %j', async (text, recipient) => {
    expect(await search(text)).toEqual(await plainly(text, recipient))
  })

  it('finds what was stored late or edited and nothing deleted, before and after the texts are copied', async () => {
    const changed = [...(await plainly('order 1234 ', '-')), ...(await plainly('order 4321 ', '-'))]
    await rows(db, `update messages set content = 'Changed ZEBRA' where id = :id`, { id: changed[0] ?? '' })
    await rows(db, `delete from messages where id = :id`, { id: changed[1] ?? '' })
    await storeMessages(db, organizationId, { ageMs: 2 * hourMs, content: 'A late zebra' })
    await storeMessages(db, organizationId, { ageMs: 400 * hourMs, content: 'The first zebra' })
    for (const copy of [false, true]) {
      if (copy) await copyTexts(db)
      expect(await search('zebra')).toHaveLength(3)
      expect(await search('zebra')).toEqual(await plainly('zebra', '-'))
      expect(await search('order 1234 ')).toEqual([])
      expect(await search('order 4321 ')).toEqual([])
    }
  })

  it('has one text for each message once they are copied, and none of deleted messages', async () => {
    const different = await rows(
      db,
      `select 1 from messages m full join message_texts t
           on (t.organization_id, t.created_at, t.message_id) = (m.organization_id, m.created_at, m.id)
        where t.search_text is distinct from lower(m.recipient || E'\\n' || m.content)`,
    )
    expect(different).toEqual([])
  })

  it('passes over no newer message when many old ones that match were edited', async () => {
    const all = await plainly('is ready', '-')
    await rows(
      db,
      `update messages set content = content || '!' where id in (
         select id from messages where organization_id = :organizationId and content like '%is ready%'
          order by created_at limit 40)`,
      { organizationId },
    )
    const wanted = everyMessage(organizationId)
    for (const from of [0, 30, 400]) {
      const place = from === 0 ? null : await placeOf(all[from - 1])
      const { ids } = await searchHistory(db, wanted, { text: 'is ready', place, limit: 31 })
      expect(ids).toEqual(all.slice(from, from + 31))
    }
    // What is rare is looked up, and what was edited is as old as before.
    const rare = await plainly('order 999', '-')
    expect(await search('order 999', {}, 3)).toEqual(rare.slice(0, 3))
    expect(await search('order 999')).toEqual(rare)
    await copyTexts(db)
  })

  it('applies its filters, and continues after a position', async () => {
    const all = await search('o', { type: 'alert' })
    expect(all).toEqual(await plainly('o', 'o', `type = 'alert'`))
    const wanted = { ...everyMessage(organizationId), type: 'alert' } as const
    const place = await placeOf(all[399])
    const { ids } = await searchHistory(db, wanted, { text: 'o', place, limit: 600 })
    expect(ids).toEqual(all.slice(400, 1000))
    expect(await search('otp', { type: 'otp', status: 'read' })).toEqual(await plainly('otp', 'otp', `type = 'otp'`))
  })

  it.each([
    ['half', '[02468] is ready'],
    ['little', ' 77.? is ready'],
  ])('finds what a number sent that sent %s', async (_much, part) => {
    const containerId = newId()
    await rows(
      db,
      `update messages set container_id = :containerId where organization_id = :organizationId and content ~ :part`,
      { organizationId, containerId, part },
    )
    for (const text of ['is ready', 'order 77', 'nothing like it']) {
      const wanted = { ...everyMessage(organizationId), containerId }
      const { ids } = await searchHistory(db, wanted, { text, place: null, limit: 1001 })
      expect(ids).toEqual(await plainly(text, '-', `container_id = '${containerId}'`))
    }
  })

  it('finds what was accepted in a span, with its first moment and without its last', async () => {
    const [from, until] = await rows<{ at: Date }>(
      db,
      `select created_at as at from messages
        where organization_id = :organizationId and content like 'Your order 2_00 is%' order by created_at limit 2`,
      { organizationId },
    )
    const [since, before] = [from?.at.toISOString() ?? '', until?.at.toISOString() ?? '']
    const span = { ...everyMessage(organizationId), since, until: before }
    for (const text of ['is ready', 'order 200', 'zz']) {
      const { ids } = await searchHistory(db, span, { text, place: null, limit: 1001 })
      expect(ids).toEqual(await plainly(text, '-', `created_at >= '${since}' and created_at < '${before}'`))
    }
  })

  /** Follows a search in parts of `bound` messages; returns what it found, and how many parts ended early. */
  async function searchInParts(on: Db, filter: HistoryFilter, text: string, bound: number) {
    const found: string[] = []
    let place: HistoryPlace | null = null
    let ends = 0
    do {
      const part: FoundIds = await searchHistory(on, filter, { text, place, limit: 1001, bound })
      found.push(...part.ids)
      place = part.end
      if (place !== null) ends += 1
    } while (place !== null)
    return { found, ends }
  }

  it.each(['x', 'zz', '🎉'])(
    'ends early where the index does not help, and continues where it ended: %j',
    async (text) => {
      await rows(
        db,
        `update messages set content = content || ' zz' where id in (
           select id from messages where organization_id = :organizationId order by created_at, id limit 3)`,
        { organizationId },
      )
      const first = await searchHistory(db, everyMessage(organizationId), {
        text,
        place: null,
        limit: 1001,
        bound: 900,
      })
      // What was edited is not copied yet, and as old as before.
      if (text === 'zz') expect(first.ids).toEqual([])
      const { found, ends } = await searchInParts(db, everyMessage(organizationId), text, 2000)
      expect(found).toEqual(await plainly(text, text))
      expect(ends).toBeGreaterThan(text === 'x' ? 0 : 2)
    },
  )

  it('ends early in the messages of a filter that few pass, and continues where it ended', async () => {
    const clientReference = 'a sale'
    await rows(
      db,
      `update messages set client_reference = :clientReference where id in (
         select id from messages where organization_id = :organizationId and content like '%9 is ready%'
          order by created_at, id limit 450)`,
      { organizationId, clientReference },
    )
    const few = { ...everyMessage(organizationId), clientReference }
    const { found, ends } = await searchInParts(db, few, '99 is', 200)
    expect(found).toEqual(await plainly('99 is', '-', `client_reference = 'a sale'`))
    expect([found.length, ends]).toEqual([45, 2])
  })

  /** Makes a search of all texts take longer than a second. Returns the database and how often one was tried. */
  async function makeSlow() {
    const lock = await db.transaction()
    onTestFinished(async () => void (await lock.rollback()))
    await lock.raw('lock table message_texts in access exclusive mode')
    let tries = 0
    const slow = new Proxy(db, {
      get(target, name) {
        if (name === 'transaction') tries += 1
        if (name !== 'raw') return Reflect.get(target, name)
        // The first search outside of a transaction is the one after the time limit.
        return async (sql: string, bindings: never) => {
          if (sql.includes('message_texts') && !lock.isCompleted()) await lock.rollback()
          return target.raw(sql, bindings)
        }
      },
    })
    return { slow, countTries: () => tries }
  }

  it('searches the newest messages when searching all takes longer than a second', async () => {
    const { slow } = await makeSlow()
    const request = { text: 'order 77', place: null, limit: 1001, bound: 500 }
    const { ids, end } = await searchHistory(slow, everyMessage(organizationId), request)
    const all = await plainly('order 77', '-')
    expect(ids).toEqual(all.slice(0, ids.length))
    expect(ids.length).toBeLessThan(all.length)
    expect(end).not.toBeNull()
  })

  it('waits for that second once for a page behind a cursor, which has a total too', async () => {
    const query = { search: 'order 77', page: 1, limit: 10 }
    const { nextCursor } = await listMessages({ db }, organizationId, query)
    const { slow, countTries } = await makeSlow()
    const page = await listMessages({ db: slow }, organizationId, { ...query, cursor: String(nextCursor) })
    const all = await plainly('order 77', '-')
    expect(page.messages.map(({ id }) => id)).toEqual(all.slice(10, 20))
    expect([page.total, countTries()]).toEqual([all.length, 1])
  })

  it('finds the same on a host without the trigrams of Postgres', async () => {
    await db.raw('drop index message_texts_search')
    await storeMessages(db, organizationId, { ageMs: hourMs, count: 600, spacingMs: 1, content: 'One more' })
    await copyTexts(db)
    for (const [text, recipient] of texts) expect(await search(text)).toEqual(await plainly(text, recipient))
  })
})
