import { type BotHours, type BotTexts, limits } from '@msgctl/contract'
import type { Draft } from '#conversations/bots/orders/draft.ts'
import type { StoredShop } from '#conversations/bots/orders/shop-store.ts'
import { type Db, firstRow, preparedRows, rows } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import type { Row } from '#platform/db/tables.ts'
import type { Choice } from './turn.ts'

/** A conversation that this process has claimed. */
export interface DueConversation
  extends Pick<
    Row<'bot_conversations'>,
    'id' | 'organizationId' | 'botId' | 'containerId' | 'contactId' | 'lang' | 'greeted' | 'failures' | 'awaySaidAt'
  > {
  readonly state: 'assistant' | 'person'
  readonly choices: readonly Choice[]
  readonly saidAt: readonly number[]
  readonly stepsAt: readonly number[]
  readonly draft: Draft | null
  /** How often it was claimed without a turn, this claim included. */
  readonly attempts: number
  /** The fencing token of the claim. */
  readonly token: string
  /** The service time at which it was read. */
  readonly now: Date
}

/** After so many attempts a conversation is left to a person. */
export const maxAttempts = 3

const columns = `c.id, c.organization_id, c.bot_id, c.container_id, c.contact_id, c.lang, c.state, c.greeted,
  c.failures, c.choices, c.away_said_at, c.said_at, c.steps_at, c.draft, c.attempts, c.lease_token as token,
  (select service_now()) as now`

/** SQL: whether the next attempt is the last one. */
const isLastAttempt = `c.attempts = ${maxAttempts - 1}`

/** Which conversations are claimed: those whose next attempt is their last one, or all others. */
export type Claimed = 'last-attempts' | 'others'

/**
 * Claims the conversation that has been due longest, of all organizations, for `leaseMs`: it counts the attempt before
 * anything is done, so that an attempt which ends the process counts too. When the lease ends, it is due again.
 */
export async function claimDue(
  db: Db,
  claim: { readonly token: string; readonly leaseMs: number; readonly which: Claimed },
): Promise<DueConversation | undefined> {
  const { token, leaseMs, which } = claim
  const [found] = await preparedRows<DueConversation>(
    db,
    `with due as (
       select c.id from bot_conversations c
        where c.due_at <= (select service_now()) and ${notMoving('c.organization_id')} and (${isLastAttempt}) = :isLast
        order by c.due_at limit 1 for update of c skip locked)
     update bot_conversations c
        set attempts = c.attempts + 1, lease_token = :token,
            due_at = (select service_now()) + :leaseMs * interval '1 millisecond'
       from due where c.id = due.id
     returning ${columns}`,
    { token, leaseMs, isLast: which === 'last-attempts' },
  )
  return found
}

/** Locks a claimed conversation; undefined when it was given to a person or claimed again since. */
export async function lockClaimed(
  trx: Db,
  { organizationId, id, token }: Pick<DueConversation, 'organizationId' | 'id' | 'token'>,
): Promise<DueConversation | undefined> {
  const [found] = await preparedRows<DueConversation>(
    trx,
    `select ${columns} from bot_conversations c
      where c.organization_id = :organizationId and c.id = :id and c.lease_token = :token for update of c`,
    { organizationId, id, token },
  )
  return found
}

/** Extends the lease of a locked conversation to `leaseMs` from now. */
export async function extendLease(
  trx: Db,
  { organizationId, id }: Pick<DueConversation, 'organizationId' | 'id'>,
  leaseMs: number,
): Promise<void> {
  await rows(
    trx,
    `update bot_conversations set due_at = (select service_now()) + :leaseMs * interval '1 millisecond'
      where organization_id = :organizationId and id = :id`,
    { organizationId, id, leaseMs },
  )
}

/** Returns when the next conversation is due, and whether its next attempt is the last one; undefined without one. */
export async function findNextDue(db: Db): Promise<{ readonly at: Date; readonly isLast: boolean } | undefined> {
  return firstRow<{ at: Date; isLast: boolean }>(
    db,
    `select c.due_at as at, ${isLastAttempt} as is_last from bot_conversations c
      where c.due_at is not null and ${notMoving('c.organization_id')} order by c.due_at limit 1`,
  )
}

/** A message that waits in a conversation. */
interface InboxRow {
  readonly id: number
  readonly text: string
  readonly isPlace: boolean
  readonly writtenAt: string
}

/** What waits in a conversation, and what is needed to find an answer to it. */
export interface Waiting {
  readonly inbox: readonly InboxRow[]
  readonly languages: readonly string[]
  readonly knowledgeVersion: number
}

/** Messages that one turn handles; more of them wait for the next one. */
const mostMessages = 100

/** Reads what waits in a conversation, the oldest first. */
export async function readWaiting(db: Db, conversation: DueConversation): Promise<Waiting | undefined> {
  const { organizationId, id, botId } = conversation
  const [found] = await preparedRows<Waiting>(
    db,
    `select b.languages, b.knowledge_version,
            coalesce((select jsonb_agg(jsonb_build_object('id', i.id, 'text',
                  left(i.text, ${limits.message}), 'isPlace', i.is_place,
                                                          'writtenAt', iso_instant(i.written_at)) order by i.id)
                        from (select * from bot_inbox where organization_id = :organizationId and conversation_id = :id
                               order by id limit ${mostMessages}) i), '[]') as inbox
       from bots b where b.organization_id = :organizationId and b.id = :botId`,
    { organizationId, id, botId },
  )
  return found
}

/** Everything that a turn depends on besides the conversation itself. */
export interface TurnContext {
  readonly botStatus: 'draft' | 'active' | 'paused'
  readonly languages: readonly string[]
  readonly texts: BotTexts
  readonly instructions: string
  readonly hours: BotHours
  readonly outsideHours: 'answer' | 'away'
  readonly personWords: readonly string[]
  readonly shop: StoredShop | null
  /** Whether the assistant still answers on the number of the conversation. */
  readonly onNumber: boolean
  /** Digits or a hidden id. */
  readonly recipient: string
  readonly numberWorks: boolean
  readonly hasBots: boolean
  readonly hasShop: boolean
  readonly trial: boolean
  readonly hasPlacedOrder: boolean
  /** What the customer gave with the last order. */
  readonly lastName: string | null
  readonly lastAddress: string | null
}

/** Reads what a turn depends on besides the question, in one statement. */
export async function readContext(trx: Db, conversation: DueConversation): Promise<TurnContext | undefined> {
  const { organizationId, botId, containerId, contactId } = conversation
  const [found] = await preparedRows<TurnContext>(
    trx,
    `select b.status as bot_status, b.languages, b.texts, b.instructions, b.hours, b.outside_hours, b.person_words,
            b.shop,
            exists (select from bot_numbers x where x.bot_id = b.id and x.container_id = :containerId
                and x.active) as on_number,
            coalesce(k.phone, k.lid) as recipient,
            coalesce((select n.status = 'WORKING' and n.queue_held_at is null from numbers n where n.id = :containerId),
                false) as number_works,
            o.products && array['assistant', 'shop'] and o.deactivated_at is null as has_bots,
            'shop' = any(o.products) and o.deactivated_at is null as has_shop, o.trial,
            last.number is not null and last.status in ('placed', 'confirmed', 'shipped') as has_placed_order,
            last.name as last_name, last.address as last_address
       from bots b
       join entitlements o on o.organization_id = b.organization_id
       join contacts k on k.organization_id = b.organization_id and k.id = :contactId
       left join lateral (
         select number, status, name, address from bot_orders d
          where d.organization_id = b.organization_id and d.contact_id = :contactId and d.bot_id = b.id
          order by number desc limit 1) last on b.shop is not null
      where b.organization_id = :organizationId and b.id = :botId`,
    { organizationId, botId, containerId, contactId },
  )
  return found
}
