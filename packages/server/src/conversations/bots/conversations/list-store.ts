import type { ConversationState, ReviewStatus, TurnKind } from '@msgctl/contract'
import type { OfBot } from '#conversations/bots/orders/shop-store.ts'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** A conversation as it is listed. */
export interface ConversationRow
  extends Pick<
    Row<'bot_conversations'>,
    'id' | 'containerId' | 'contactId' | 'lang' | 'personUntil' | 'startedAt' | 'lastAt' | 'closedAt'
  > {
  readonly contactPhone: string
  readonly state: ConversationState
}

const isPerson = `c.state = 'person' and coalesce(c.person_until > (select service_now()), true)`
const isOrdering = `coalesce(c.draft->>'step', 'idle') <> 'idle'`
const state = `case when ${isPerson} then 'person' when ${isOrdering} then 'ordering' else 'assistant' end`

const columns = `c.id, c.container_id, c.contact_id,
  coalesce(k.phone, k.lid, '') as contact_phone,
  ${state} as state, c.lang, c.person_until, c.started_at, c.last_at, c.closed_at`
const source =
  'bot_conversations c left join contacts k on k.organization_id = c.organization_id and k.id = c.contact_id'

/** A filter of conversations; null matches all. */
export interface ConversationFilter extends OfBot {
  readonly state: ConversationState | null
}

const matches = `c.organization_id = :organizationId and c.bot_id = :botId
  and (:state::text is null or (c.closed_at is null and ${state} = :state))`

/** Returns one page of conversations, the latest first. */
export async function listConversations(
  db: Db,
  filter: ConversationFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<ConversationRow[]> {
  return rows<ConversationRow>(
    db,
    `select ${columns} from ${source} where ${matches} order by c.last_at desc, c.id desc limit :limit offset :offset`,
    { ...filter, ...page },
  )
}

/** Counts the conversations that match. */
export async function countConversations(db: Db, filter: ConversationFilter): Promise<number> {
  const [counted] = await rows<{ total: number }>(db, `select count(*) as total from ${source} where ${matches}`, {
    ...filter,
  })
  return counted?.total ?? 0
}

/** Returns one conversation. */
export async function findConversation(
  db: Db,
  { organizationId, botId }: OfBot,
  id: string,
): Promise<ConversationRow | undefined> {
  return firstRow<ConversationRow>(
    db,
    `select ${columns} from ${source} where c.organization_id = :organizationId and c.bot_id = :botId and c.id = :id`,
    { organizationId, botId, id },
  )
}

/** A turn as it is listed. */
export interface TurnRow extends Pick<Row<'bot_turns'>, 'at' | 'said' | 'answerId' | 'score' | 'messageId'> {
  readonly question: string
  readonly kind: TurnKind
}

/** Returns the last turns of a conversation, the oldest first. */
export async function listTurns(db: Db, organizationId: string, id: string, limit: number): Promise<TurnRow[]> {
  const found = await rows<TurnRow>(
    db,
    `select at, question, kind, said, answer_id, score, message_id from bot_turns
      where organization_id = :organizationId and conversation_id = :id order by id desc limit :limit`,
    { organizationId, id, limit },
  )
  return found.reverse()
}

/**
 * Ends the hold of a person, so that the next question is the assistant's again. Returns false for an ended
 * conversation.
 */
export async function giveToAssistant(db: Db, { organizationId, botId }: OfBot, id: string): Promise<boolean> {
  const given = await rows(
    db,
    `update bot_conversations set state = 'assistant', person_until = null, failures = 0
      where organization_id = :organizationId and bot_id = :botId and id = :id and closed_at is null returning id`,
    { organizationId, botId, id },
  )
  return given.length > 0
}

/** A review with the conversation it was in. */
export interface ReviewRow
  extends Pick<
    Row<'bot_reviews'>,
    'id' | 'conversationId' | 'question' | 'lang' | 'answer' | 'createdAt' | 'resolvedAt'
  > {
  readonly containerId: string
  readonly contactPhone: string
  readonly reason: 'away' | 'ai_quota' | 'late' | 'no_sender' | 'failed' | null
  readonly status: ReviewStatus
}

const reviewColumns = `r.id, r.conversation_id, c.container_id,
  coalesce(k.phone, k.lid, '') as contact_phone, r.question, r.lang, r.reason, r.status, r.answer, r.created_at,
  r.resolved_at`
const reviewSource = `bot_reviews r join bot_conversations c on c.id = r.conversation_id
  left join contacts k on k.organization_id = r.organization_id and k.id = c.contact_id`

/** A filter of reviews; null matches all. */
export interface ReviewFilter extends OfBot {
  readonly status: ReviewStatus | null
}

const reviewMatches =
  'r.organization_id = :organizationId and r.bot_id = :botId and (:status::text is null or r.status = :status)'

/** Returns one page of reviews, the latest first. */
export async function listReviews(
  db: Db,
  filter: ReviewFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<ReviewRow[]> {
  return rows<ReviewRow>(
    db,
    `select ${reviewColumns} from ${reviewSource} where ${reviewMatches}
      order by r.created_at desc, r.id desc limit :limit offset :offset`,
    { ...filter, ...page },
  )
}

/** Counts the reviews that match. */
export async function countReviews(db: Db, filter: ReviewFilter): Promise<number> {
  const [counted] = await rows<{ total: number }>(
    db,
    `select count(*) as total from bot_reviews r where ${reviewMatches}`,
    {
      ...filter,
    },
  )
  return counted?.total ?? 0
}

/** Returns one review; `lock` keeps its row until the transaction ends. */
export async function findReview(
  db: Db,
  { organizationId, botId }: OfBot,
  id: string,
  lock = false,
): Promise<ReviewRow | undefined> {
  return firstRow<ReviewRow>(
    db,
    `select ${reviewColumns} from ${reviewSource}
      where r.organization_id = :organizationId and r.bot_id = :botId and r.id = :id ${lock ? 'for update of r' : ''}`,
    { organizationId, botId, id },
  )
}

/** Closes a locked review. */
export async function closeReview(
  trx: Db,
  { organizationId, botId }: OfBot,
  id: string,
  closed: { readonly status: 'resolved' | 'dismissed'; readonly answer: string | null },
): Promise<void> {
  await rows(
    trx,
    `update bot_reviews set status = :status, answer = :answer, resolved_at = (select service_now())
      where organization_id = :organizationId and bot_id = :botId and id = :id`,
    { organizationId, botId, id, ...closed },
  )
}
