import { type Db, preparedRows, rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import type { DueConversation } from './due-store.ts'
import type { Conversation } from './turn.ts'

/** A conversation by its id. */
type OfConversation = Pick<DueConversation, 'organizationId' | 'id'>

/** The conversation begins to wait again for this long when messages came while its turn was taken. */
const settleMs = 3000

/** SQL: deletes the handled messages; `left_over` says since when others wait. */
const handledSql = `gone as (
       delete from bot_inbox where organization_id = :organizationId and conversation_id = :id
         and id = any(:handled::bigint[])
     ), left_over as (
       select min(received_at) as since from bot_inbox
        where organization_id = :organizationId and conversation_id = :id and not (id = any(:handled::bigint[]))
     )`

const notDueSql = `waiting_since = left_over.since, lease_token = null, attempts = 0,
            due_at = case when left_over.since is null then null
                          else (select service_now()) + :settleMs * interval '1 millisecond' end`

const insertTurnSql = `
     insert into bot_turns (conversation_id, organization_id, at, question, kind, said, answer_id, score, message_id)
     values (:id, :organizationId, (select service_now()), :question, :kind, :said, :answerId, :score, :messageId)`

/** Deletes handled messages. The conversation is due again when others have come since. */
export async function deleteHandled(
  trx: Db,
  { organizationId, id }: OfConversation,
  handled: readonly number[],
): Promise<void> {
  await rows(
    trx,
    `with ${handledSql}
     update bot_conversations c set ${notDueSql}
       from left_over where c.organization_id = :organizationId and c.id = :id`,
    { organizationId, id, handled: [...handled], settleMs },
  )
}

/** Ends the claim of a conversation whose turn failed. It is due again after `delayMs` for each attempt. */
export async function noteFailure(
  db: Db,
  { organizationId, id, token }: Pick<DueConversation, 'organizationId' | 'id' | 'token'>,
  delayMs: number,
): Promise<void> {
  await rows(
    db,
    `update bot_conversations
        set lease_token = null, due_at = (select service_now()) + attempts * :delayMs * interval '1 millisecond'
      where organization_id = :organizationId and id = :id and lease_token = :token`,
    { organizationId, id, token, delayMs },
  )
}

/** Gives a conversation to a person until it is given back, or ends. */
export async function holdForPerson(trx: Db, { organizationId, id }: OfConversation): Promise<void> {
  await trx('bot_conversations')
    .where({ organizationId, id })
    .update({ state: 'person', personUntil: null, failures: 0, choices: '[]' })
}

/** What an assistant did with a question. */
export interface NewTurn {
  readonly question: string
  readonly kind: string
  readonly said: string | null
  readonly answerId: string | null
  readonly score: number | null
  readonly messageId: string | null
}

/** Records a turn. */
export async function insertTurn(trx: Db, { organizationId, id }: OfConversation, turn: NewTurn): Promise<void> {
  await rows(trx, insertTurnSql, { organizationId, id, ...turn })
}

/** What a turn leaves behind: its record, what the assistant remembers, and the messages that it handled. */
export interface FinishedTurn {
  readonly turn: NewTurn
  readonly after: Conversation
  readonly handled: readonly number[]
}

/**
 * Records a turn, writes what the assistant remembers, and deletes the handled messages, in one statement. The
 * conversation is due again when other messages have come since.
 */
export async function finishTurn(
  trx: Db,
  { organizationId, id }: OfConversation,
  { turn, after, handled }: FinishedTurn,
): Promise<void> {
  await preparedRows(
    trx,
    `with turn as (${insertTurnSql}), ${handledSql}
     update bot_conversations c
        set lang = :lang, state = :state, person_until = null, greeted = :greeted, failures = :failures,
            choices = :choices::jsonb, away_said_at = :awaySaidAt, said_at = :saidAt::jsonb, steps_at = :stepsAt::jsonb,
            draft = :draft::jsonb, ${notDueSql}
       from left_over where c.organization_id = :organizationId and c.id = :id`,
    {
      organizationId,
      id,
      ...turn,
      handled: [...handled],
      settleMs,
      lang: after.lang,
      state: after.state,
      greeted: after.greeted,
      failures: after.failures,
      choices: JSON.stringify(after.choices),
      awaySaidAt: after.awaySaidAtMs === null ? null : new Date(after.awaySaidAtMs),
      saidAt: JSON.stringify(after.saidAtMs),
      stepsAt: JSON.stringify(after.stepsAtMs),
      draft: JSON.stringify(after.draft),
    },
  )
}

/** Why a question was left to a person; null when no answer was known. */
export type ReviewReason = 'away' | 'ai_quota' | 'late' | 'no_sender' | 'failed' | null

/** Stores a question for a person. */
export async function insertReview(
  trx: Db,
  { organizationId, id, botId }: Pick<DueConversation, 'organizationId' | 'id' | 'botId'>,
  review: { readonly question: string; readonly lang: string | null; readonly reason: ReviewReason },
): Promise<void> {
  await rows(
    trx,
    `insert into bot_reviews (id, bot_id, organization_id, conversation_id, question, lang, reason, created_at)
     values (:reviewId, :botId, :organizationId, :id, :question, :lang, :reason, (select service_now()))`,
    { reviewId: newId(), organizationId, id, botId, ...review },
  )
}

/** Returns the last messages of a conversation, the oldest first, as a model is given them. */
export async function listHistory(
  db: Db,
  { organizationId, id }: OfConversation,
  limit: number,
): Promise<{ from: 'customer' | 'assistant'; text: string }[]> {
  const turns = await rows<{ question: string; said: string | null }>(
    db,
    `select question, said from bot_turns where organization_id = :organizationId and conversation_id = :id
      order by id desc limit :limit`,
    { organizationId, id, limit },
  )
  return turns
    .reverse()
    .flatMap(({ question, said }) => [
      { from: 'customer' as const, text: question },
      ...(said === null ? [] : [{ from: 'assistant' as const, text: said }]),
    ])
    .slice(-limit)
}

/** Ends conversations of all organizations that have been quiet for 24 hours. Returns how many. */
export async function endQuiet(db: Db, limit = 1000): Promise<number> {
  const ended = await rows(
    db,
    `update bot_conversations set closed_at = (select service_now()), draft = null
      where id in (select id from bot_conversations
                    where closed_at is null and due_at is null
                      and last_at < (select service_now()) - interval '24 hours'
                    limit :limit)
     returning id`,
    { limit },
  )
  return ended.length
}

/** Deletes turns that are older than 90 days. Returns how many. */
export async function deleteExpiredTurns(db: Db, limit = 5000): Promise<number> {
  const deleted = await rows(
    db,
    `delete from bot_turns where id = any(array(
       select id from bot_turns where at < (select service_now()) - interval '90 days' limit :limit)) returning id`,
    { limit },
  )
  return deleted.length
}
