import { messageStatuses, messageTypes } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Db, rows, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { testDatabase } from '#testing/database.ts'
import { storeMessages } from '#testing/stored-messages.ts'
import { countByType, countRecent, rollUpCounts } from './counter-store.ts'
import { countMatching } from './counts.ts'

const { db } = await testDatabase()
await db.raw('update service_clock set frozen_at = service_now()')

const type = fc.constantFrom(...messageTypes)
const status = fc.constantFrom(...messageStatuses)
/** Ages up to nine days, with the edges of both windows among them. */
const ageMs = fc.oneof(
  fc.constantFrom(0, 1, 86_399_999, 86_400_000, 86_400_001, 604_799_999, 604_800_000, 604_800_001),
  fc.integer({ min: 0, max: 9 * 86_400_000 }),
)
/** Which organization, of two, and which of its messages a statement is about: one in `every`. */
const about = { organization: fc.integer({ min: 0, max: 1 }), every: fc.integer({ min: 1, max: 3 }) }

const step = fc.oneof(
  fc.record({
    do: fc.constant('insert' as const),
    ...about,
    type,
    status,
    ageMs,
    count: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({ do: fc.constant('move' as const), ...about, to: status }),
  fc.record({ do: fc.constant('move-all' as const), to: status }),
  fc.record({ do: fc.constant('touch' as const), ...about }),
  fc.record({ do: fc.constant('delete' as const), ...about }),
  fc.record({ do: fc.constant('rollback' as const), ...about }),
  fc.record({ do: fc.constant('rollUp' as const), limit: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('advance' as const), minutes: fc.integer({ min: 1, max: 3000 }) }),
)
type Step = (typeof step extends fc.Arbitrary<infer S> ? S : never) & object

const chosen = `organization_id = :organizationId and get_byte(uuid_send(id), 15) % :every = 0`

async function apply(organizations: readonly string[], done: Step): Promise<void> {
  const organizationId = 'organization' in done ? (organizations[done.organization] ?? '') : ''
  switch (done.do) {
    case 'insert':
      return storeMessages(db, organizationId, { ...done })
    case 'move':
      await rows(db, `update messages set status = :to where ${chosen}`, { organizationId, ...done })
      return
    case 'move-all':
      await rows(db, `update messages set status = :to where organization_id = any(:organizations::uuid[])`, {
        to: done.to,
        organizations,
      })
      return
    case 'touch':
      await rows(db, `update messages set attempts = attempts + 1 where ${chosen}`, { organizationId, ...done })
      return
    case 'delete':
      await rows(db, `delete from messages where ${chosen}`, { organizationId, ...done })
      return
    case 'rollback':
      await transaction(db, async (trx) => {
        await rows(trx, `delete from messages where ${chosen}`, { organizationId, ...done })
        throw new Error('taken back')
      }).catch(() => undefined)
      return
    case 'rollUp':
      // Several workers at once, as in production.
      await Promise.all([1, 2, 3].map(() => rollUpCounts(db, done.limit)))
      return
    case 'advance':
      await rows(db, `update service_clock set frozen_at = frozen_at + :minutes * interval '1 minute'`, done)
  }
}

async function plainCount(organizationId: string, condition = 'true'): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    `select count(*) as count from messages where organization_id = :organizationId and ${condition}`,
    { organizationId },
  )
  return counted?.count ?? 0
}

async function expectExact(organizationId: string): Promise<void> {
  const counts = await countByType(db, organizationId)
  const plain = await rows<{ type: string; status: string; count: number }>(
    db,
    'select type, status, count(*) as count from messages where organization_id = :organizationId group by 1, 2',
    { organizationId },
  )
  for (const type of messageTypes) {
    for (const status of messageStatuses) {
      const expected = plain.find((row) => row.type === type && row.status === status)?.count ?? 0
      expect(countMatching(counts, { type, status })).toBe(expected)
    }
  }
  expect(await countRecent(db, organizationId)).toEqual({
    last24h: await plainCount(organizationId, `created_at > (select service_now()) - interval '24 hours'`),
    last7d: await plainCount(organizationId, `created_at > (select service_now()) - interval '7 days'`),
  })
}

async function hours(database: Db): Promise<number> {
  const [counted] = await rows<{ count: number }>(database, 'select count(*) as count from message_count_changes')
  return counted?.count ?? 0
}

describe('the counts of messages', () => {
  it('agree with a plain count after every insert, move, delete and roll-up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const organizations = [newId(), newId()]
        for (const done of steps) {
          await apply(organizations, done)
          for (const organizationId of organizations) await expectExact(organizationId)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('lose nothing when workers roll up while others send', async () => {
    const organizationId = newId()
    const sending = Array.from({ length: 40 }, () =>
      storeMessages(db, organizationId, { type: 'alert', status: 'queued', ageMs: 0, count: 2 }),
    )
    const folding = Array.from({ length: 40 }, () => transaction(db, (trx) => rollUpCounts(trx, 5)))
    await Promise.all([...sending, ...folding])
    expect(countMatching(await countByType(db, organizationId), { type: 'alert', status: 'queued' })).toBe(80)
    while ((await rollUpCounts(db, 1000)) > 0);
    expect(await hours(db)).toBe(0)
    await expectExact(organizationId)
  })

  it('append one row when a statement moves many messages of one hour, and none when it moves nothing', async () => {
    const organizationId = newId()
    while ((await rollUpCounts(db, 1000)) > 0);
    await storeMessages(db, organizationId, { type: 'bulk', status: 'queued', ageMs: 0, count: 500 })
    await rows(db, `update messages set status = 'sending' where organization_id = :organizationId`, { organizationId })
    await rows(db, `update messages set attempts = 1 where organization_id = :organizationId`, { organizationId })
    expect(await hours(db)).toBe(2)
  })
})
