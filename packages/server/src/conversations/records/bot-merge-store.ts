import { type Db, rows } from '#platform/db/db.ts'

/**
 * Moves what assistants know of one contact to another one: conversations, with what waits in them, and orders. Where
 * both have an open conversation on a number, that of the first contact ends. What waited in it joins the other, which
 * continues with the draft of the later one, and stays with a person if either was.
 */
export async function moveConversations(trx: Db, organizationId: string, from: string, into: string): Promise<void> {
  const bindings = { organizationId, from, into }
  await rows(
    trx,
    `with pairs as materialized (
       select f.id as ended, i.id as kept, f.last_at > i.last_at as is_later, f.last_at, f.due_at, f.waiting_since,
              f.state, f.person_until, f.greeted, f.failures, f.lang, f.choices, f.draft, f.away_said_at,
              f.said_at, f.steps_at
         from bot_conversations f
         join bot_conversations i on i.bot_id = f.bot_id and i.container_id = f.container_id and i.closed_at is null
          and i.organization_id = f.organization_id and i.contact_id = :into
        where f.organization_id = :organizationId and f.contact_id = :from and f.closed_at is null
        order by f.id for update of f, i
     ), moved as (
       update bot_inbox b set conversation_id = p.kept from pairs p where b.conversation_id = p.ended
     ), kept as (
       update bot_conversations c
          set due_at = least(c.due_at, p.due_at), waiting_since = least(c.waiting_since, p.waiting_since),
              last_at = greatest(c.last_at, p.last_at), greeted = c.greeted or p.greeted,
              state = case when p.state = 'person' then 'person' else c.state end,
              -- Null means for good.
              person_until = case when (c.state = 'person' and c.person_until is null)
                                    or (p.state = 'person' and p.person_until is null) then null
                                  else greatest(c.person_until, p.person_until) end,
              lang = case when is_later then p.lang else c.lang end,
              failures = case when is_later then p.failures else c.failures end,
              choices = case when is_later then p.choices else c.choices end,
              draft = case when is_later then coalesce(p.draft, c.draft) else coalesce(c.draft, p.draft) end,
              away_said_at = greatest(c.away_said_at, p.away_said_at),
              said_at = c.said_at || p.said_at, steps_at = c.steps_at || p.steps_at
         from pairs p where c.id = p.kept
     )
     update bot_conversations c set closed_at = (select service_now()), due_at = null, lease_token = null, draft = null
       from pairs p where c.id = p.ended`,
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
