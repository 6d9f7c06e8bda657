import { type Db, rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import type { Row } from '#platform/db/tables.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** A number with an active assistant, and a person who writes to it. */
export type BotChat = Pick<Row<'bot_conversations'>, 'organizationId' | 'containerId' | 'contactId' | 'botId'>

/** A message for an assistant. */
export interface OfferedMessage extends BotChat {
  readonly text: string
  /** Whether it is a location. */
  readonly isPlace: boolean
  readonly at: Date
}

/** The question is answered this long after its last message, and at most the longest wait after its first. */
const settleMs = 3000
const longestSettleMs = 15_000

const chatColumns = `"organizationId" uuid, "containerId" uuid, "contactId" uuid, "botId" uuid`

/** Ends the conversations of these chats that have been quiet for 24 hours. */
export async function endQuietConversations(trx: Db, chats: readonly BotChat[]): Promise<void> {
  await rows(
    trx,
    `update bot_conversations c set closed_at = (select service_now()), due_at = null, lease_token = null
       from jsonb_to_recordset(:chats::jsonb) as g(${chatColumns})
      where c.organization_id = g."organizationId" and c.bot_id = g."botId" and c.container_id = g."containerId"
        and c.contact_id = g."contactId" and c.closed_at is null
        and c.last_at < (select service_now()) - interval '24 hours'`,
    { chats: JSON.stringify(chats) },
  )
}

/** Returns the chats whose person may talk to an assistant: order phones and numbers of the organization may not. */
export async function filterCustomers(trx: Db, chats: readonly BotChat[]): Promise<BotChat[]> {
  return rows<BotChat>(
    trx,
    `select distinct g."organizationId", g."containerId", g."contactId", g."botId"
       from jsonb_to_recordset(:chats::jsonb) as g(${chatColumns})
       join contacts c on c.organization_id = g."organizationId" and c.id = g."contactId"
      where c.phone is null or not exists (
              select from bot_order_phones p where p.organization_id = g."organizationId" and p.phone = c.phone
              union all
              select from numbers n where n.organization_id = g."organizationId"
                and c.phone in (n.phone_number, n.last_linked_phone))
      order by g."containerId", g."contactId"`,
    { chats: JSON.stringify(chats) },
  )
}

/** An open conversation; a person answers in it when it is `held`. */
export interface OpenConversation extends BotChat {
  readonly id: string
  readonly held: boolean
}

/** Opens the conversations of these chats, or makes the open ones due again. */
export async function openConversations(trx: Db, chats: readonly BotChat[]): Promise<OpenConversation[]> {
  return rows<OpenConversation>(
    trx,
    `with time as materialized (select service_now() as now)
     insert into bot_conversations as kept
            (id, bot_id, organization_id, container_id, contact_id, lang, due_at, waiting_since, started_at, last_at)
     select g.id, g."botId", g."organizationId", g."containerId", g."contactId", b.languages[1],
            now + :settleMs * interval '1 millisecond', now, now, now
       from jsonb_to_recordset(:chats::jsonb) as g(id uuid, ${chatColumns})
       join bots b on b.organization_id = g."organizationId" and b.id = g."botId"
       cross join time
      order by g."botId", g."containerId", g."contactId"
     on conflict (bot_id, container_id, contact_id) where closed_at is null do update
        set last_at = excluded.last_at,
            state = case when kept.person_until <= excluded.last_at then 'assistant' else kept.state end,
            person_until = case when kept.person_until <= excluded.last_at then null else kept.person_until end,
            waiting_since = case when kept.state = 'person' and coalesce(kept.person_until > excluded.last_at, true)
                                 then kept.waiting_since else coalesce(kept.waiting_since, excluded.last_at) end,
            due_at = case when kept.lease_token is not null then kept.due_at
                          when kept.state = 'person'
                            and coalesce(kept.person_until > excluded.last_at, true) then kept.due_at
                          else least(coalesce(kept.waiting_since,
                                excluded.last_at) + :longestMs * interval '1 millisecond',
                                     excluded.due_at) end
     returning id, organization_id, container_id, contact_id,
               bot_id, state = 'person' as held`,
    {
      chats: JSON.stringify(chats.map((chat) => ({ ...chat, id: newId() }))),
      settleMs,
      longestMs: longestSettleMs,
    },
  )
}

/** Stores messages of conversations. */
export async function insertInbox(
  trx: Db,
  messages: readonly (Pick<OfferedMessage, 'organizationId' | 'text' | 'isPlace' | 'at'> & {
    readonly conversationId: string
  })[],
): Promise<void> {
  await rows(
    trx,
    `insert into bot_inbox (conversation_id, organization_id, text, is_place, written_at, received_at)
     select g."conversationId", g."organizationId", g.text, g."isPlace", g.at, (select service_now())
       from jsonb_to_recordset(:messages::jsonb) as g("conversationId" uuid, "organizationId" uuid, text text,
            "isPlace" boolean, at timestamptz)`,
    { messages: JSON.stringify(messages) },
  )
  afterCommit(trx, 'bots')
}

/** Gives chats to a person for the pause of their assistants. What waited in them for the assistant is dropped. */
export async function giveToPerson(trx: Db, chats: readonly BotChat[]): Promise<void> {
  await rows(
    trx,
    `with time as materialized (select service_now() as now), held as (
       insert into bot_conversations as kept
              (id, bot_id, organization_id, container_id, contact_id, lang, state, person_until, started_at, last_at)
       select g.id, g."botId", g."organizationId", g."containerId", g."contactId", b.languages[1], 'person',
              now + b.human_pause_minutes * interval '1 minute', now, now
         from jsonb_to_recordset(:chats::jsonb) as g(id uuid, ${chatColumns})
         join bots b on b.organization_id = g."organizationId" and b.id = g."botId"
         cross join time
        order by g."botId", g."containerId", g."contactId"
       on conflict (bot_id, container_id, contact_id) where closed_at is null do update
          set last_at = excluded.last_at, due_at = null, waiting_since = null, lease_token = null,
              person_until = case when kept.state = 'person' and kept.person_until is null then null
                                  else excluded.person_until end,
              state = 'person'
       returning id
     )
     delete from bot_inbox i using held where i.conversation_id = held.id`,
    { chats: JSON.stringify(chats.map((chat) => ({ ...chat, id: newId() }))) },
  )
}
