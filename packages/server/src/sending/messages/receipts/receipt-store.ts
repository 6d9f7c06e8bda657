import type { ReceiptStatus } from '@msgctl/network/gateway'
import { type EventSubject, eventSubjectColumns } from '#events/message-event.ts'
import { type Db, preparedRows, serviceNow } from '#platform/db/db.ts'
import type { Progress } from './receipt-rules.ts'

/** SQL condition: whether receipts wait for their message. */
export const hasPendingReceipts = 'exists (select from pending_receipts)'

/** A receipt of the network, before its message is known. */
export interface NetworkReceipt {
  readonly containerId: string
  readonly networkId: string
  readonly status: ReceiptStatus
  readonly at: Date
  readonly error: string | null
}

/**
 * A message with the fields that receipts change and the data of its events. `gatewayMessageId` is the id by which the
 * receipt found it, which its row may lack.
 */
export type ReceiptTarget = EventSubject &
  Progress & {
    readonly containerId: string
    readonly gatewayMessageId: string
    /** Whether its number is on a real network. */
    readonly isReal: boolean
  }

/**
 * SQL of the message of each `wanted(container_id, network_id)`: the one with this id on the network, or one of unknown
 * outcome, by the id that the service chose. A message that is queued again is included: the network drops the repeat,
 * so its receipts of the first attempt are the only ones.
 */
export const messagesByNetworkId = `
  select m.id, w.container_id, w.network_id from wanted w
    join messages m on m.container_id = w.container_id and m.gateway_message_id = w.network_id
  union
  select m.id, w.container_id, w.network_id from wanted w
    join messages m on m.container_id = w.container_id and m.network_client_id = w.network_id
   where m.outcome_unknown_since is not null and m.gateway_message_id is null`

/** Locks the messages of these receipts, in the order of their ids. */
export async function lockTargets(trx: Db, receipts: readonly NetworkReceipt[]): Promise<ReceiptTarget[]> {
  const found = await preparedRows<Omit<ReceiptTarget, 'gatewayMessageId'> & { networkId: string }>(
    trx,
    `with wanted as (
       select distinct * from unnest(:containers::uuid[], :networkIds::text[]) as w(container_id, network_id)
     ), known as materialized (${messagesByNetworkId}
     ), locked as materialized (
       select m.*, known.network_id from messages m join known on known.id = m.id order by m.id for update of m
     )
     select ${eventSubjectColumns}, m.network_id, m.status, m.delivered_at, m.read_at, m.failed_at, m.sent_reported,
            coalesce(n.gateway <> 'simulator', false) as is_real
       from locked m left join numbers n on n.id = m.container_id`,
    {
      containers: receipts.map((receipt) => receipt.containerId),
      networkIds: receipts.map((receipt) => receipt.networkId),
    },
  )
  return found.map((target) => ({ ...target, gatewayMessageId: target.networkId }))
}

type Changed = Progress & { readonly id: string; readonly gatewayMessageId: string }

/** Writes the progress of locked messages, and takes queued ones out of the queue. Their outcome is known now. */
export async function writeProgress(trx: Db, changed: readonly Changed[]): Promise<void> {
  if (changed.length === 0) return
  await preparedRows(
    trx,
    `update messages m
        set status = c.status, delivered_at = c.delivered_at, read_at = c.read_at, failed_at = c.failed_at,
            error = c.error, error_code = c.error_code, sent_reported = c.sent_reported,
            gateway_message_id = c.network_id, outcome_unknown_since = null, unacknowledged_since = null,
            sent_at = case when c.status = 'failed' then m.sent_at
                           else coalesce(least(m.sent_at, c.delivered_at, c.read_at), (select service_now())) end
       from unnest(:ids::uuid[], :networkIds::text[], :statuses::text[], :delivereds::timestamptz[],
           :reads::timestamptz[], :faileds::timestamptz[],
                   :errors::text[], :codes::text[], :reporteds::boolean[])
         as c(id, network_id, status, delivered_at, read_at, failed_at, error, error_code, sent_reported)
      where m.id = c.id`,
    {
      ids: changed.map((one) => one.id),
      networkIds: changed.map((one) => one.gatewayMessageId),
      statuses: changed.map((one) => one.status),
      delivereds: changed.map((one) => one.deliveredAt),
      reads: changed.map((one) => one.readAt),
      faileds: changed.map((one) => one.failedAt),
      errors: changed.map((one) => one.error),
      codes: changed.map((one) => one.errorCode),
      reporteds: changed.map((one) => one.sentReported),
    },
  )
}

/** Stores receipts whose message is not known yet. */
export async function keepEarly(trx: Db, receipts: readonly NetworkReceipt[]): Promise<void> {
  if (receipts.length === 0) return
  await preparedRows(
    trx,
    `insert into pending_receipts (container_id, gateway_message_id, status, at, error, received_at)
     select r.*, (select service_now())
       from unnest(:containers::uuid[], :networkIds::text[], :statuses::text[], :ats::timestamptz[],
           :errors::text[]) as r
     on conflict do nothing`,
    {
      containers: receipts.map((receipt) => receipt.containerId),
      networkIds: receipts.map((receipt) => receipt.networkId),
      statuses: receipts.map((receipt) => receipt.status),
      ats: receipts.map((receipt) => receipt.at),
      errors: receipts.map((receipt) => receipt.error),
    },
  )
}

/** Returns whether a receipt of one of these ids is stored. It seldom is, and this read is one cheap statement. */
export async function isAnyEarly(db: Db, ids: readonly { containerId: string; networkId: string }[]): Promise<boolean> {
  const [found] = await preparedRows<{ any: boolean }>(
    db,
    `select exists (
       select from unnest(:containers::uuid[], :networkIds::text[]) as w(container_id, network_id)
         join pending_receipts e on e.container_id = w.container_id and e.gateway_message_id = w.network_id) as any`,
    { containers: ids.map((id) => id.containerId), networkIds: ids.map((id) => id.networkId) },
  )
  return found?.any ?? false
}

/**
 * Deletes and returns stored receipts whose message is known by now: of the given ids, or of all (the sweep after a
 * crash).
 */
export async function takeEarly(
  trx: Db,
  ids: readonly { containerId: string; networkId: string }[] | null,
): Promise<NetworkReceipt[]> {
  return preparedRows<NetworkReceipt>(
    trx,
    `with wanted as (
       select distinct container_id, gateway_message_id as network_id from pending_receipts
        where :all or (container_id, gateway_message_id) in (select *
            from unnest(:containers::uuid[], :networkIds::text[]))
     ), known as (${messagesByNetworkId})
     delete from pending_receipts e using known
      where e.container_id = known.container_id and e.gateway_message_id = known.network_id
     returning e.container_id, e.gateway_message_id as network_id, e.status, e.at, e.error`,
    {
      all: ids === null,
      containers: (ids ?? []).map((id) => id.containerId),
      networkIds: (ids ?? []).map((id) => id.networkId),
    },
  )
}

const tenMinutesMs = 10 * 60 * 1000

/** Deletes receipts that waited longer than ten minutes for a message. */
export async function dropStaleEarly(db: Db): Promise<void> {
  await db('pending_receipts').where('receivedAt', '<', serviceNow(db, -tenMinutesMs)).delete()
}
