import { type Db, rows } from '../../db/db.ts'

/**
 * Moves what assistants know of one contact to another one: conversations, with what waits in them, and orders. Where both
 * have an open conversation on a number, that of the first contact ends, and what waited in it joins the other.
 */
export async function moveConversations(trx: Db, organizationId: string, from: string, into: string): Promise<void> {
  const bindings = { organizationId, from, into }
  await rows(
    trx,
    `with pairs as materialized (
       select f.id as ended, i.id as kept, f.due_at
         from bot_conversations f
         join bot_conversations i on i.bot_id = f.bot_id and i.container_id = f.container_id and i.closed_at is null
          and i.organization_id = f.organization_id and i.contact_id = :into
        where f.organization_id = :organizationId and f.contact_id = :from and f.closed_at is null
        order by f.id for update of f, i
     ), moved as (
       update bot_inbox b set conversation_id = pairs.kept from pairs where b.conversation_id = pairs.ended
     ), kept as (
       update bot_conversations c set due_at = least(c.due_at, pairs.due_at) from pairs where c.id = pairs.kept
     )
     update bot_conversations c set closed_at = (select service_now()), due_at = null, lease_token = null
       from pairs where c.id = pairs.ended`,
    bindings,
  )
  await rows(
    trx,
    `update bot_conversations set contact_id = :into where organization_id = :organizationId and contact_id = :from`,
    bindings,
  )
  await rows(
    trx,
    `update bot_orders set contact_id = :into where organization_id = :organizationId and contact_id = :from`,
    bindings,
  )
}
