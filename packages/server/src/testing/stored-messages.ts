import { type Db, rows } from '#platform/db/db.ts'

/** Messages that a test stores as history: they are never sent. */
export interface StoredMessages {
  readonly type?: 'alert' | 'bulk' | 'otp'
  readonly status?: 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'failed'
  /** How long ago the newest of them was accepted (default: 0). */
  readonly ageMs?: number
  /** The time from one to the next older one (default: 0, all in the same millisecond). */
  readonly spacingMs?: number
  readonly recipient?: string
  /** `{n}` in it becomes the message's place in the order, the newest is 0. */
  readonly content?: string
  readonly count?: number
}

/** Stores messages past the queue, many at a time. Statuses that a worker acts on are safe only where none runs. */
export async function storeMessages(db: Db, organizationId: string, messages: StoredMessages): Promise<void> {
  await rows(
    db,
    `insert into messages (id, organization_id, type, kind, recipient, content, priority, status, network_client_id,
                           due_at, queue_at, created_at)
     select gen_random_uuid(), :organizationId, :type, 'text', :recipient, replace(:content, '{n}', n::text), 'normal',
            :status,
            gen_random_uuid()::text, at, at, at
       from (select n, (select service_now()) - (:ageMs + n * :spacingMs) * interval '1 millisecond' as at
               from generate_series(0, :count - 1) n) made`,
    {
      organizationId,
      type: messages.type ?? 'alert',
      status: messages.status ?? 'delivered',
      ageMs: messages.ageMs ?? 0,
      spacingMs: messages.spacingMs ?? 0,
      recipient: messages.recipient ?? '12025550121',
      content: messages.content ?? 'a stored message',
      count: messages.count ?? 1,
    },
  )
}
