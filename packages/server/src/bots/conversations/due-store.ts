import type { BotHours, BotTexts } from '@msgctl/contract'
import { type Db, preparedRows, rows } from '../../db/db.ts'
import { notMoving } from '../../db/moving.ts'
import type { Draft } from '../orders/draft.ts'
import type { StoredShop } from '../orders/shop-store.ts'
import type { Choice } from './turn.ts'

/** A conversation that is due, locked until the transaction ends. */
export interface DueConversation {
  readonly id: string
  readonly organizationId: string
  readonly botId: string
  readonly containerId: string
  readonly contactId: string
  readonly lang: string
  readonly state: 'assistant' | 'person'
  readonly greeted: boolean
  readonly failures: number
  readonly choices: readonly Choice[]
  readonly awaySaidAt: Date | null
  readonly saidAt: readonly number[]
  readonly stepsAt: readonly number[]
  readonly draft: Draft | null
  readonly attempts: number
  /** The service time of the claim. */
  readonly now: Date
}

const columns = `c.id, c.organization_id as "organizationId", c.bot_id as "botId", c.container_id as "containerId",
  c.contact_id as "contactId", c.lang, c.state, c.greeted, c.failures, c.choices, c.away_said_at as "awaySaidAt",
  c.said_at as "saidAt", c.steps_at as "stepsAt", c.draft, c.attempts, (select service_now()) as now`

/** Locks the conversation that has been due longest, of all organizations; those of other workers are skipped. */
export async function lockDue(trx: Db): Promise<DueConversation | undefined> {
  const [found] = await preparedRows<DueConversation>(
    trx,
    `select ${columns} from bot_conversations c
      where c.due_at <= (select service_now()) and ${notMoving('c.organization_id')}
      order by c.due_at limit 1 for update of c skip locked`,
  )
  return found
}

/** Locks a conversation that this process has leased; undefined when it was given to a person or claimed again since. */
export async function lockLeased(
  trx: Db,
  organizationId: string,
  id: string,
  token: string,
): Promise<DueConversation | undefined> {
  const [found] = await rows<DueConversation>(
    trx,
    `select ${columns} from bot_conversations c
      where c.organization_id = :organizationId and c.id = :id and c.lease_token = :token for update of c`,
    { organizationId, id, token },
  )
  return found
}

/** Leases a locked conversation while a model is queried: it is due again when the lease ends. */
export async function writeLease(
  trx: Db,
  { organizationId, id }: Pick<DueConversation, 'organizationId' | 'id'>,
  token: string,
  leaseMs: number,
): Promise<void> {
  await rows(
    trx,
    `update bot_conversations
        set lease_token = :token, due_at = (select service_now()) + :leaseMs * interval '1 millisecond'
      where organization_id = :organizationId and id = :id`,
    { organizationId, id, token, leaseMs },
  )
}

/** Returns when the next conversation is due, or null. */
export async function findNextDue(db: Db): Promise<Date | null> {
  const [found] = await rows<{ at: Date | null }>(
    db,
    `select min(due_at) as at from bot_conversations where due_at is not null`,
  )
  return found?.at ?? null
}

/** A message that waits in a conversation. */
interface InboxRow {
  readonly id: number
  readonly text: string
  readonly isPlace: boolean
  readonly writtenAt: string
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
  readonly knowledgeVersion: number
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
  readonly inbox: readonly InboxRow[]
}

/** Reads what a turn depends on, in one statement. */
export async function readContext(trx: Db, conversation: DueConversation): Promise<TurnContext | undefined> {
  const { organizationId, id, botId, containerId, contactId } = conversation
  const [found] = await preparedRows<TurnContext>(
    trx,
    `select b.status as "botStatus", b.languages, b.texts, b.instructions, b.hours, b.outside_hours as "outsideHours",
            b.person_words as "personWords", b.shop, b.knowledge_version as "knowledgeVersion",
            exists (select from bot_numbers x where x.bot_id = b.id and x.container_id = :containerId and x.active) as "onNumber",
            coalesce(k.phone, k.lid) as recipient,
            coalesce((select n.status = 'WORKING' and n.queue_held_at is null from numbers n where n.id = :containerId), false) as "numberWorks",
            held.bots and o.deactivated_at is null as "hasBots", held.shop and o.deactivated_at is null as "hasShop", held.trial,
            last.number is not null and last.status in ('placed', 'confirmed', 'shipped') as "hasPlacedOrder",
            last.name as "lastName", last.address as "lastAddress",
            coalesce((select jsonb_agg(jsonb_build_object('id', i.id, 'text', i.text, 'isPlace', i.is_place,
                                                          'writtenAt', iso_instant(i.written_at)) order by i.id)
                        from bot_inbox i where i.conversation_id = :id), '[]') as inbox
       from bots b
       join organizations o on o.id = b.organization_id
       join contacts k on k.organization_id = b.organization_id and k.id = :contactId
      cross join lateral (
        select coalesce(bool_or(active and product in ('assistant', 'shop')), false) as bots,
               coalesce(bool_or(active and product = 'shop'), false) as shop, count(granted_at) = 0 as trial
          from (select product, granted_at, p.paused_at is null
                         and (p.granted_at is not null or o.trial_ends_at > (select service_now())) as active
                  from organization_products p where p.organization_id = o.id) products) held
       left join lateral (
         select number, status, name, address from bot_orders d
          where d.organization_id = b.organization_id and d.contact_id = :contactId and d.bot_id = b.id
          order by number desc limit 1) last on b.shop is not null
      where b.organization_id = :organizationId and b.id = :botId`,
    { organizationId, id, botId, containerId, contactId },
  )
  return found
}
