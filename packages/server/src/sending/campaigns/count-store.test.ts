import { messageStatuses } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rows, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { makeOrganization } from '#testing/make.ts'
import { testServices } from '#testing/services.ts'
import { rollUpCampaignCounts } from './count-store.ts'
import { putRecipients } from './recipient-store.ts'
import { deleteCampaign, insertCampaign, listCampaigns } from './store.ts'

const { db } = await testServices()

const status = fc.constantFrom(...messageStatuses)
/** Which campaign, of two, and which of its messages a statement is about: one in `every`. */
const about = { campaign: fc.integer({ min: 0, max: 1 }), every: fc.integer({ min: 1, max: 3 }) }
const step = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), ...about, status, count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('text' as const), ...about, status }),
  fc.record({ do: fc.constant('move' as const), ...about, to: status }),
  fc.record({ do: fc.constant('move-all' as const), to: status }),
  fc.record({ do: fc.constant('delete' as const), ...about }),
  fc.record({ do: fc.constant('rollback' as const), ...about }),
  fc.record({ do: fc.constant('fold' as const), limit: fc.integer({ min: 1, max: 3 }) }),
)
type Step = (typeof step extends fc.Arbitrary<infer S> ? S : never) & object

const chosen = 'campaign_id = :campaignId and get_byte(uuid_send(id), 15) % :every = 0'

async function insert(organizationId: string, campaignId: string | null, count: number, as: string): Promise<void> {
  await rows(
    db,
    `insert into messages (id, organization_id, type, kind, recipient, content, priority, status, network_client_id,
                           campaign_id, due_at, queue_at, created_at)
     select gen_random_uuid(), :organizationId, 'bulk', 'text', gen_random_uuid()::text, 'x', 'normal', :as,
            gen_random_uuid()::text, :campaignId, service_now(), service_now(), service_now()
       from generate_series(1, :count)`,
    { organizationId, campaignId, count, as },
  )
}

async function apply(organizationId: string, ids: readonly string[], done: Step): Promise<void> {
  const campaignId = 'campaign' in done ? (ids[done.campaign] ?? '') : ''
  switch (done.do) {
    case 'insert':
      return insert(organizationId, campaignId, done.count, done.status)
    case 'text':
      return insert(organizationId, null, 1, done.status)
    case 'move':
      await rows(db, `update messages set status = :to where ${chosen}`, { campaignId, ...done })
      return
    case 'move-all':
      await rows(db, 'update messages set status = :to where campaign_id = any(:ids::uuid[])', { ids, to: done.to })
      return
    case 'delete':
      await rows(db, `delete from messages where ${chosen}`, { campaignId, ...done })
      return
    case 'rollback':
      await transaction(db, async (trx) => {
        await rows(trx, `delete from messages where ${chosen}`, { campaignId, ...done })
        throw new Error('taken back')
      }).catch(() => undefined)
      return
    case 'fold':
      // Several workers at once, as in production.
      await Promise.all([1, 2, 3].map(() => rollUpCampaignCounts(db, done.limit)))
  }
}

async function newCampaign(organizationId: string): Promise<string> {
  const id = newId()
  const campaign = { id, organizationId, containerId: null, name: 'Counted', template: 'x', total: 1, anyHour: false }
  await insertCampaign(db, { ...campaign, clientReference: null, scheduledAt: null })
  await putRecipients(db, organizationId, id, [{ phone: '4915100000000', variables: {} }])
  return id
}

async function plainCounts(campaignId: string) {
  const [counted] = await rows(
    db,
    `select count(*) filter (where status in ('sent', 'delivered', 'read')) as sent,
            count(*) filter (where status in ('delivered', 'read')) as delivered,
            count(*) filter (where status = 'failed') as failed, count(*) filter (where status = 'read') as read
       from messages where campaign_id = :campaignId`,
    { campaignId },
  )
  return counted
}

describe('the counts of a campaign', () => {
  it('are those of its messages after any inserts, moves, deletes, roll-backs and folds', async () => {
    const { organizationId } = await makeOrganization({ db })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        const ids = [await newCampaign(organizationId), await newCampaign(organizationId)]
        for (const done of steps) await apply(organizationId, ids, done)
        for (const id of ids) {
          const [campaign] = await listCampaigns(db, { organizationId, containerId: null }, id)
          expect(campaign).toMatchObject((await plainCounts(id)) ?? {})
        }
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('are folded until nothing is left, also when a campaign is deleted in between', async () => {
    const { organizationId } = await makeOrganization({ db })
    const [kept, deleted] = [await newCampaign(organizationId), await newCampaign(organizationId)]
    for (const id of [kept, deleted]) await insert(organizationId, id, 4, 'read')
    while ((await rollUpCampaignCounts(db, 100)) > 0);
    await transaction(db, (trx) => deleteCampaign(trx, organizationId, deleted))
    while ((await rollUpCampaignCounts(db, 100)) > 0);
    const left = await rows<{ id: string; read: number }>(
      db,
      'select campaign_id as id, read from campaign_counts where organization_id = :organizationId',
      { organizationId },
    )
    expect(left).toEqual([{ id: kept, read: 4 }])
    expect((await listCampaigns(db, { organizationId, containerId: null }, kept))[0]).toMatchObject({
      sent: 4,
      delivered: 4,
      failed: 0,
      read: 4,
    })
  })
})
