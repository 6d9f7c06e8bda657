// Conversations of one number, loaded by SQL: five messages each, of which every tenth conversation has unread ones.
import { patiently } from '../history/rows.mjs'

/** @import { Db } from '@msgctl/server/platform/db/db' */

const messagesPerChat = 5
/** @param {string} n */
const contactId = (n) => `md5($1::text || 'person' || ${n})::uuid`

/**
 * Ids begin with their time, as the service makes them; all messages but the newest of a conversation are older by
 * days.
 */
const insertMessages = `
  insert into chat_messages (id, organization_id, container_id, contact_id, direction, network_id, at, type, text,
      unread)
  select (encode(substr(int8send((extract(epoch from at) * 1000)::int8), 3),
        'hex') || '7000a' || substr(md5($1::text || n), 1, 15))::uuid,
         $1::uuid, $2::uuid, ${contactId('n % $3::int')}, case when n % 3 = 0 then 'out'
           else 'in' end, n::text, at, 'chat',
         'A question of ordinary length, as a customer would write it. ' || n, n % 10 = 1 and n < $3::int
    from (select n, service_now() - n * (interval '30 days' / ($3::int * ${messagesPerChat})) as at
            from generate_series(1, $3::int * ${messagesPerChat}) n) made order by at`

/**
 * Stores `chats` conversations of one number, spread over thirty days.
 * @param {Db} db
 * @param {{ organizationId: string, containerId: string, chats: number }} options
 */
export async function fillChats(db, { organizationId, containerId, chats }) {
  await patiently(
    db,
    `insert into contacts (id, organization_id, phone, network_name, known_to, created_at)
     select ${contactId('n')}, $1::uuid, '1404' || lpad((n * 7654321::int8 % 10000000)::text, 7, '0'), 'Person ' || n,
            array[$2::uuid], service_now()
       from generate_series(0, $3::int - 1) n`,
    [organizationId, containerId, chats],
  )
  await patiently(db, insertMessages, [organizationId, containerId, chats])
  await patiently(
    db,
    `insert into chats (container_id, contact_id, organization_id, last_at, unread)
     select container_id, contact_id, $1::uuid, max(at), count(*) filter (where unread)
       from chat_messages where container_id = $2 group by 1, 2`,
    [organizationId, containerId],
  )
  for (const table of ['contacts', 'chat_messages', 'chats']) await patiently(db, `vacuum analyze ${table}`)
}
