import type { MessageErrorCode, RecipientStatus } from '@msgctl/contract'
import { toPartsBySize } from '#platform/concurrency/rounds.ts'
import { yielding } from '#platform/concurrency/yielding.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { lengthOfVariables } from '#sending/messages/template.ts'
import type { Recipient } from './recipients.ts'

/** Recipients of one text of JSON or statement: 50 variables each are 0.5 MB, which are built or parsed in one go. */
const chunk = 500
/** Characters of the variables of one: those of 165 recipients can have 16 MB, which take the driver 340 ms. */
const chunkCharacters = 512 * 1024

/** Replaces the recipients of a campaign, in their order. */
export async function putRecipients(
  trx: Db,
  organizationId: string,
  campaignId: string,
  recipients: readonly Recipient[],
): Promise<void> {
  await trx('campaign_recipients').where({ organizationId, campaignId }).delete()
  const bound = { items: chunk, size: chunkCharacters }
  let from = 0
  for (const part of toPartsBySize(recipients, ({ variables }) => lengthOfVariables(variables), bound)) {
    await rows(
      trx,
      `insert into campaign_recipients (campaign_id, organization_id, position, phone, variables)
       select :campaignId, :organizationId, :from + r.position, r.phone, r.variables::jsonb
         from unnest(:phones::text[], :variables::text[]) with ordinality as r(phone, variables, position)`,
      {
        organizationId,
        campaignId,
        from,
        phones: part.map(({ phone }) => phone),
        variables: part.map(({ variables }) => JSON.stringify(variables)),
      },
    )
    from += part.length
  }
}

/**
 * Returns the recipients of a campaign in their order: all, or those without a message yet. They come as JSON texts,
 * because parsing ten thousand rows in the driver costs twice as much; in several, so that others run in between.
 */
export async function listRecipients(
  db: Db,
  organizationId: string,
  campaignId: string,
  which: 'all' | 'unwritten' = 'all',
): Promise<Recipient[]> {
  const parts = await rows<{ recipients: string }>(
    db,
    `select json_agg(json_build_object('phone', phone, 'variables', variables) order by position)::text as recipients
       from (select r.phone, r.variables, r.position,
                    (row_number() over (order by r.position) - 1) / ${chunk} as chunk,
                    sum(length(r.variables::text)) over (order by r.position) / ${chunkCharacters} as part
               from campaign_recipients r
              where r.organization_id = :organizationId and r.campaign_id = :campaignId
                and (:all or not exists (
                       select from messages m where m.campaign_id = r.campaign_id and m.recipient = r.phone))) placed
      group by chunk, part order by min(position)`,
    { organizationId, campaignId, all: which === 'all' },
  )
  const recipients: Recipient[] = []
  const pause = yielding()
  for (const part of parts) {
    for (const one of JSON.parse(part.recipients) as Recipient[]) recipients.push(one)
    await pause()
  }
  return recipients
}

/** A recipient with the status of their message. */
export interface RecipientProgress extends Recipient {
  /** The place in the campaign, from 1. */
  readonly position: number
  readonly messageId: string | null
  readonly status: RecipientStatus
  readonly error: string | null
  readonly errorCode: MessageErrorCode | null
  readonly sentAt: Date | null
  readonly deliveredAt: Date | null
  readonly readAt: Date | null
}

/** A filter of recipients; null matches all. `search` is a part of the number. */
export interface RecipientFilter {
  readonly organizationId: string
  readonly campaignId: string
  readonly status: RecipientStatus | null
  readonly errorCode: MessageErrorCode | null
  readonly search: string | null
}

const withMessages = 'left join messages m on m.campaign_id = r.campaign_id and m.recipient = r.phone'
const recipientMatches = `r.organization_id = :organizationId and r.campaign_id = :campaignId
   and (:search::text is null or position(:search in r.phone) > 0)`
const messageMatches = `(:status::text is null or coalesce(m.status, 'pending') = :status)
   and (:errorCode::text is null or m.error_code = :errorCode)`

/** Returns how many recipients match. Their messages are read only where a filter needs them. */
export async function countMatching(db: Db, filter: RecipientFilter): Promise<number> {
  const isOfMessages = filter.status !== null || filter.errorCode !== null
  const [counted] = await rows<{ total: number }>(
    db,
    isOfMessages
      ? `select count(*) as total from campaign_recipients r ${withMessages} where ${recipientMatches}
        and ${messageMatches}`
      : `select count(*) as total from campaign_recipients r where ${recipientMatches}`,
    { ...filter },
  )
  return counted?.total ?? 0
}

/** Which matching recipients: those behind the place `after`, without the first `offset` of them. */
export interface RecipientPage {
  readonly after: number
  readonly offset: number
  readonly limit: number
}

/** Returns matching recipients in their order. */
export async function listMatching(db: Db, filter: RecipientFilter, page: RecipientPage): Promise<RecipientProgress[]> {
  return rows<RecipientProgress>(
    db,
    `select r.position, r.phone, r.variables, m.id as message_id, coalesce(m.status, 'pending') as status, m.error,
            m.error_code, m.sent_at, m.delivered_at, m.read_at
       from campaign_recipients r ${withMessages}
      where ${recipientMatches} and ${messageMatches} and r.position > :after
      order by r.position limit :limit offset :offset`,
    { ...filter, ...page },
  )
}

/** Returns the numbers of the recipients who opted out of bulk messages. */
export async function findOptedOut(
  trx: Db,
  organizationId: string,
  recipients: readonly Pick<Recipient, 'phone'>[],
): Promise<Set<string>> {
  const found = await rows<{ phone: string }>(
    trx,
    `select c.phone from contacts c
      where c.organization_id = :organizationId and c.opted_out and c.phone = any(:phones::text[])`,
    { organizationId, phones: recipients.map(({ phone }) => phone) },
  )
  return new Set(found.map(({ phone }) => phone))
}
