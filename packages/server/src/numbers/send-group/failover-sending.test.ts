import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeGroup } from '#testing/features/send-group.ts'
import { sim, type TranscriptEntry, transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { takenIds } from '#testing/tested/phone.ts'

const server = await startTestServer({ env: { UNSAFE_DISABLE_PACING: 'false' } })
await server.services.clock.freeze()

function textsOf(entries: readonly TranscriptEntry[]): string[] {
  return entries.map((entry) => (entry.content as { text: string }).text)
}

async function statusBecomes(containerId: string, status: string): Promise<void> {
  await eventually(
    () => rows<{ status: string }>(server.db, 'select status from numbers where id = :containerId', { containerId }),
    ([number]) => number?.status === status,
  )
}

const ownerOf = 'select organization_id from numbers where id = :containerId'

/** Waits until a worker holds so many messages of a number that the network did not get yet. */
async function held(containerId: string, enough: (count: number) => boolean): Promise<void> {
  const [number] = await rows<{ organizationId: string }>(server.db, ownerOf, { containerId })
  await eventually(
    async () => {
      const ids = await takenIds(server, number?.organizationId ?? '')
      return rows<{ count: number }>(
        server.db,
        `select count(*) from messages
          where container_id = :containerId and status = 'sending' and network_client_id <> all(:ids)`,
        { containerId, ids },
      )
    },
    ([messages]) => enough(messages?.count ?? 0),
  )
}

/** Lets seconds go by, in each of which one text leaves a number, until it was `count` in all. */
async function secondsUntil(containerId: string, count: number): Promise<TranscriptEntry[]> {
  for (let seen = 0; ; ) {
    // The claim of the next one may take longer than a second that is only pretended.
    await held(containerId, (messages) => messages > 0)
    await server.advance(1)
    const entries = await eventually(
      () => transcriptOf(server, containerId),
      (now) => now.length > seen,
    )
    seen = entries.length
    if (seen >= count) return entries
  }
}

describe('a number of a backup group that drops in the middle of its queue', () => {
  it('sends what it had not begun through the next one, once, in order; new ones use it when it is back', async () => {
    const { ids, client, send } = await makeGroup(server)
    const [a, b, c] = ids
    const texts = Array.from({ length: 50 }, (_, n) => `text ${String(n).padStart(2, '0')}`)
    const messageIds: string[] = []
    for (const text of texts) messageIds.push(await send(text))
    await held(a, (count) => count > 5)
    const before = textsOf(await secondsUntil(a, 3))
    expect(before).toEqual(texts.slice(0, 3))

    await sim(server, `POST numbers/${a}/drop`, { seconds: 300 })
    await statusBecomes(a, 'STARTING')
    await held(a, (count) => count === 0)
    // What a worker gives back is moved in a transaction of its own. Until then no time may go by.
    await eventually(
      () => rows(server.db, `select id from messages where container_id = :a and status = 'queued'`, { a }),
      (queued) => queued.length === 0,
    )
    await server.advance(2)
    await held(b, (count) => count > 5)
    const after = textsOf(await secondsUntil(b, 47))
    expect(textsOf(await transcriptOf(server, a))).toEqual(before)
    expect(after).toEqual(texts.slice(3))
    expect(await transcriptOf(server, c)).toEqual([])
    const shown = await Promise.all(messageIds.map(async (id) => (await client.messages.get({ id })).message))
    expect(shown.map(({ containerId }) => containerId)).toEqual(texts.map((_, n) => (n < 3 ? a : b)))
    expect(shown.every(({ attempts }) => attempts === 1)).toBe(true)

    const last = messageIds.at(-1) ?? ''
    await eventually(
      () => client.messages.get({ id: last }),
      ({ message }) => message.status === 'delivered',
    )
    const { events } = await client.events.list({ limit: 100 })
    const reported = events.findLast(({ data }) => 'messageId' in data && data.messageId === last)
    expect(reported).toMatchObject({ event: 'message.delivered', data: { containerId: b } })

    await server.advance(300)
    await statusBecomes(a, 'WORKING')
    const { containerId } = await client.alert.send({ phone: '12025550121', message: 'new' })
    expect(containerId).toBe(a)
  }, 60_000)
})

describe('a number of a sharing group that drops', () => {
  it('keeps sticky contacts on the numbers they moved to when it is back', async () => {
    const { ids, client, send } = await makeGroup(server, { mode: 'share' })
    const contacts = Array.from({ length: 12 }, (_, n) => `120255521${String(n).padStart(2, '0')}`)
    const numberOf = async (phone: string) => {
      const { message } = await client.messages.get({ id: await send('hello', { phone }) })
      return message.containerId
    }
    const first = new Map<string, string | null>()
    for (const phone of contacts) first.set(phone, await numberOf(phone))
    expect(new Set(first.values())).toEqual(new Set(ids))
    for (const phone of contacts) expect(await numberOf(phone)).toBe(first.get(phone))

    const [a] = ids
    await client.numbers.stop({ containerId: a })
    const second = new Map<string, string | null>()
    for (const phone of contacts) second.set(phone, await numberOf(phone))
    for (const phone of contacts) {
      if (first.get(phone) !== a) expect(second.get(phone)).toBe(first.get(phone))
      expect(second.get(phone)).not.toBe(a)
    }
    await client.numbers.start({ containerId: a })
    await server.advance(5)
    await statusBecomes(a, 'WORKING')
    for (const phone of contacts) expect(await numberOf(phone)).toBe(second.get(phone))
  }, 60_000)
})
