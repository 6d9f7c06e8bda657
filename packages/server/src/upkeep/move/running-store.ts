import { type Db, firstRow } from '#platform/db/db.ts'

/** What still runs of an organization that is being closed. */
export interface Running {
  /** Messages that a process hands to a network. */
  readonly messages: number
  readonly deliveries: number
  readonly reminders: number
  /** Conversations that a worker has claimed for an assistant. */
  readonly turns: number
  /** 1 until a worker has stopped the numbers at their networks. */
  readonly numbers: number
}

/** Returns what still runs of an organization. */
export async function readRunning(db: Db, organizationId: string): Promise<Running> {
  const found = await firstRow<Running>(
    db,
    `select (select count(*) from messages
              where organization_id = :organizationId and status = 'sending' and lease_token is not null) as messages,
            (select count(*) from webhook_deliveries
              where organization_id = :organizationId and status = 'pending'
                and lease_until > (select service_now())) as deliveries,
            (select count(*) from reminders
              where organization_id = :organizationId and status = 'processing') as reminders,
            (select count(*) from bot_conversations
              where organization_id = :organizationId and lease_token is not null
                and due_at > (select service_now())) as turns,
            (select count(*) from organizations where id = :organizationId and closed_at is null) as numbers`,
    { organizationId },
  )
  if (!found) throw new Error('a statement of counts returned no row')
  return found
}
