// What workers do all the time: claims, once with nothing due and once with a batch, and one batch of each job that
// goes through a history.
import { randomUUID } from 'node:crypto'

/**
 * @import { Services } from '@msgctl/server/services'
 * @import { SideRows } from './reads.mjs'
 */

/**
 * A piece of work: a name, the statements that prepare it, what is measured, and how many rows that returns.
 * @typedef {[what: string, prepare: string[], work: (services: Services) => Promise<unknown>, expected?: number]} Work
 */

const [
  { claim },
  { noPace },
  { claimDeliveries },
  { claimDue },
  { reapMessages, sweepQueue },
  { maintainCampaigns },
  { deleteOldMessages },
  { rollUpCounts },
  { copyTexts },
  { rollUpCampaignCounts },
  { rollUpChats },
  { deleteOldChatMessages },
  { deleteOrphans },
  { deleteOldEvents },
  { deleteExpiredKeys },
  { deleteExpiredSends },
] = await Promise.all([
  import('@msgctl/server/sending/messages/queue/claim'),
  import('@msgctl/server/sending/messages/queue/pace'),
  import('@msgctl/server/events/webhook/delivery/delivery-store'),
  import('@msgctl/server/sending/reminders/due-store'),
  import('@msgctl/server/sending/messages/queue/sweep'),
  import('@msgctl/server/sending/campaigns/maintain'),
  import('@msgctl/server/sending/messages/history/retention-store'),
  import('@msgctl/server/sending/messages/history/counter-store'),
  import('@msgctl/server/sending/messages/history/text-store'),
  import('@msgctl/server/sending/campaigns/count-store'),
  import('@msgctl/server/conversations/chats/roll-up'),
  import('@msgctl/server/conversations/chats/retention-store'),
  import('@msgctl/server/conversations/inbound/cleanup'),
  import('@msgctl/server/events/log-store'),
  import('@msgctl/server/api/idempotency/key-store'),
  import('@msgctl/server/numbers/guard/guard-store'),
])

const some = 500
/** The oldest third of thirty days. */
const days = 20

/** @param {string} campaign */
const queued = (campaign) => `
  insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
      campaign_id,
                        network_client_id, due_at, queue_at, created_at)
  select gen_random_uuid(), :organizationId, (:ids::uuid[])[1 + n % cardinality(:ids::uuid[])], 'alert', 'text',
         '1303' || n,
         'A text of ordinary length, as a shop would send it to a customer.', 'normal', 'queued', ${campaign},
         gen_random_uuid()::text, now, now, now
    from generate_series(1, ${some}) n, (select service_now() as now) t`

const lanesDue = `update lanes set open = true, next_claim_at = service_now() - interval '1 s'
  where container_id = any(:ids)`
const newest = `select * from messages where organization_id = :organizationId and type = 'alert' and status = 'read'
  order by created_at desc, id desc limit ${some}`

/** @type {Work[]} */
export const claims = [
  ['claim texts, nothing due', [], claimTexts],
  [`claim ${some} texts`, [queued('null'), lanesDue], claimTexts],
  [
    `claim ${some} messages of a campaign`,
    [`update campaigns set status = 'sending' where id = :campaignId`, queued(':campaignId'), lanesDue],
    claimTexts,
  ],
  ['claim deliveries, nothing due', [], takeDeliveries],
  [
    `claim ${some} deliveries`,
    [
      `update webhook_deliveries set status = 'pending', next_attempt_at = service_now() - interval '1 s',
        finished_at = null
        where id = any(array(select id from webhook_deliveries where organization_id = :organizationId
              and status = 'delivered'
                              order by created_at desc, id desc limit ${some}))`,
    ],
    takeDeliveries,
  ],
  ['claim reminders, nothing due', [], takeReminders],
  [
    'claim 50 reminders',
    [
      `update reminders set status = 'scheduled', due_at = service_now() - interval '1 s' where id = any(array(
         select id from reminders where organization_id = :organizationId and status = 'done' order by id limit 50))`,
    ],
    takeReminders,
  ],
]

/** @type {Work[]} */
export const jobs = [
  ['messages.requeue-expired-leases', [], reapMessages],
  ['messages.sweep', [], sweepQueue],
  ['campaigns.maintenance', [], maintainCampaigns],
  ['chats.cleanup', [], ({ db }) => deleteOrphans(db)],
  [`messages.retention, ${some}`, [], ({ db }) => deleteOldMessages(db, days, some), some],
  [`chats.retention, ${some}`, [], ({ db }) => deleteOldChatMessages(db, days, some), some],
  [`events.purge, ${some}`, [], ({ db }) => deleteOldEvents(db, days, some), some],
  [`idempotency.cleanup, ${some}`, [], ({ db }) => deleteExpiredKeys(db, some), some],
  [`guard.cleanup, ${some}`, [], ({ db }) => deleteExpiredSends(db, some), some],
  [
    `messages.count, ${some} changes`,
    [
      `insert into message_count_changes (organization_id, hour, type, queued, sending, sent, delivered, read, failed)
       select organization_id, hour, type, 0, 0, 1, 0, 0, 0 from message_hours where organization_id = :organizationId
        order by hour desc limit ${some}`,
    ],
    ({ db }) => rollUpCounts(db, 10_000),
    some,
  ],
  [
    `campaigns.count, ${some} changes`,
    [
      `insert into campaign_count_changes (campaign_id, organization_id, sent, delivered, failed, read)
       select c.id, organization_id, 1, 0, 0, 0 from (
         select * from campaigns where organization_id = :organizationId order by created_at limit 100) c,
           generate_series(1, ${some / 100})`,
    ],
    ({ db }) => rollUpCampaignCounts(db, 10_000),
    some,
  ],
  [
    `messages.copy-texts, ${some}`,
    [
      `with n as (${newest}), gone as (
         delete from message_texts t using n
          where t.organization_id = n.organization_id and t.created_at = n.created_at and t.message_id = n.id)
       insert into message_text_changes select organization_id, created_at, id from n`,
    ],
    ({ db }) => copyTexts(db),
  ],
  [
    `chats.roll-up, ${some} messages`,
    [
      `insert into chat_changes (organization_id, container_id, message_id) select organization_id, container_id, id
        from (${newest}) n`,
    ],
    ({ db }) => rollUpChats(db),
  ],
]

/** @param {Services} services */
async function claimTexts(services) {
  return (await claim(services, noPace, 1000)).length
}

/** @param {Services} services */
async function takeDeliveries({ db }) {
  const quota = { limit: some, fromSlow: false, slow: [], quotas: {}, initialQuota: some }
  return (await claimDeliveries(db, quota, randomUUID())).length
}

/** @param {Services} services */
async function takeReminders({ db }) {
  return (await claimDue(db, { token: randomUUID(), leaseMs: 60_000, limit: 100 })).length
}

/**
 * Returns a function that measures a piece of work in a transaction that is rolled back: so each round finds the same
 * rows. Preparing does not count.
 * @param {Work[1]} prepare
 * @param {Work[2]} work
 * @param {Work[3]} expected
 * @returns {(side: SideRows) => Promise<number>}
 */
export function rolledBack(prepare, work, expected) {
  return async ({ services, organizationId, ids, campaignId }) => {
    let took = 0
    const rollback = new Error('measured')
    await services.db
      .transaction(async (trx) => {
        for (const statement of prepare) await trx.raw(statement, { organizationId, ids, campaignId })
        const began = performance.now()
        const done = await work({ ...services, db: trx })
        took = performance.now() - began
        if (expected !== undefined && done !== expected) throw new Error(`did ${done} of ${expected}`)
        throw rollback
      })
      .catch((error) => {
        if (error !== rollback) throw error
      })
    return took
  }
}
