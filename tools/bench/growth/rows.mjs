// A large history, loaded by SQL: messages of thirty days with all that the service stores beside them.
import { contentOf, patiently, twoAtOnce, withoutIndexes } from '../history/rows.mjs'

/**
 * @import { Db } from '@msgctl/server/platform/db/db'
 * @import { Numbers } from '../support/harness.mjs'
 */

const partSize = 250_000

/**
 * The id of a campaign, by its number.
 * @param {string} n
 */
const campaignId = (n) => `md5($1::text || 'campaign' || ${n})::uuid`

/**
 * One part of the messages, oldest first. Ids begin with their time, as the service makes them. Each third message
 * belongs to a campaign, and no two messages have one recipient.
 */
const insertPart = `
  insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
      campaign_id,
                        network_client_id, gateway_message_id, due_at, queue_at, created_at, sent_at)
  select (encode(substr(int8send((extract(epoch from at) * 1000)::int8), 3),
        'hex') || '7000a' || substr(md5($1::text || n), 1, 15))::uuid,
         $1::uuid, ($2::uuid[])[1 + n % cardinality($2::uuid[])], type, 'text',
         '1' || 2000000000 + n * 5915587277 % 7999999999,
         ${contentOf}, 'normal',
         case when h % 1000 = 1 then 'failed' when h % 10 < 6 then 'read' when h % 10 < 9 then 'delivered'
           else 'sent' end,
         case when type = 'bulk' then ${campaignId('n % $6::int')} end,
         n::text, n::text, at, at, at, at
    from (select n::int8, hashint8extended(n, 0) & 1152921504606846975 as h,
                 (select service_now()) - n * (interval '30 days' / $3::int) as at
            from generate_series($5::int, $4::int, -1) n) made
   cross join lateral (select case when h % 50 = 0 then 'otp' when h % 3 = 0 then 'bulk' else 'alert' end as type) kind`

/** What the triggers and jobs of the service store for each message. */
const derived = {
  message_places: `insert into message_places (organization_id, container_id, created_at, message_id)
    select organization_id, container_id, created_at, id from messages where organization_id = $1`,
  message_texts: `insert into message_texts (organization_id, created_at, message_id, search_text)
    select organization_id, created_at, id, lower(recipient || E'\\n' || content) from messages
      where organization_id = $1`,
  message_hours: `insert into message_hours
    select organization_id, date_bin('1 hour', created_at, timestamptz 'epoch'), type, 0, 0,
           count(*) filter (where status = 'sent'),
           count(*) filter (where status = 'delivered'), count(*) filter (where status = 'read'),
           count(*) filter (where status = 'failed')
      from messages where organization_id = $1 group by 1, 2, 3`,
  message_totals: `insert into message_totals
    select organization_id, type, sum(queued), sum(sending), sum(sent), sum(delivered), sum(read), sum(failed)
      from message_hours where organization_id = $1 group by 1, 2`,
  campaign_counts: `insert into campaign_counts (campaign_id, organization_id, sent, delivered, failed, read)
    select campaign_id, organization_id, count(*) filter (where status <> 'failed'),
           count(*) filter (where status in ('delivered', 'read')),
           count(*) filter (where status = 'failed'), count(*) filter (where status = 'read')
      from messages where organization_id = $1 and campaign_id is not null group by 1, 2`,
}

/**
 * Stores thirty days of messages of one organization, spread evenly over its numbers and campaigns.
 * @param {Db} db
 * @param {Numbers & { messages: number, campaigns: number }} history
 */
export async function fillMessages(db, { organizationId, ids, messages, campaigns }) {
  await patiently(
    db,
    `insert into campaigns (id, organization_id, name, template, status, total, created_at, started_at, completed_at)
     select ${campaignId('n')}, $1::uuid, 'Campaign ' || n, 'x', 'completed', $2::int / 3 / $3::int, at, at, at
       from (select n, service_now() - n * interval '30 days' / $3::int as at
           from generate_series(0, $3::int - 1) n) made`,
    [organizationId, messages, campaigns],
  )
  await db.raw('alter table messages disable trigger user')
  await withoutIndexes(db, 'messages', () =>
    twoAtOnce(
      parts(messages).map(
        ([from, to]) =>
          () =>
            patiently(db, insertPart, [organizationId, ids, messages, from, to, campaigns]),
      ),
    ),
  )
  await db.raw('alter table messages enable trigger user')
  for (const [table, insert] of Object.entries(derived)) {
    await withoutIndexes(db, table, () => patiently(db, insert, [organizationId]))
    await patiently(db, `vacuum analyze ${table}`)
  }
  for (const table of ['messages', 'campaigns']) await patiently(db, `vacuum analyze ${table}`)
}

/**
 * The oldest part first.
 * @param {number} count
 */
function parts(count) {
  return Array.from({ length: Math.ceil(count / partSize) }, (_, part) => [
    part * partSize + 1,
    Math.min(count, (part + 1) * partSize),
  ]).reverse()
}
