import { type Db, firstRow } from '#platform/db/db.ts'

/** How calls of an organization fail. */
export type CallFault = 'refused' | 'silent' | 'error' | 'limited' | 'answer_lost'

/** What becomes of its events. */
export type WebhookFault = 'dropped' | 'tripled' | 'held'

/** The faults of an organization. */
export interface PayFaults {
  readonly calls: CallFault | null
  /** The beginning of the calls that fail, such as `POST /v1/subscriptions`; null: all. */
  readonly onlyCalls: string | null
  /** How many more calls fail; null: all. */
  readonly times: number | null
  readonly webhooks: WebhookFault | null
}

/** Sets the faults of an organization and replaces its earlier ones. */
export async function savePayFaults(db: Db, owner: string, faults: PayFaults): Promise<void> {
  await db('sim_pay_faults')
    .insert({ owner, ...faults })
    .onConflict('owner')
    .merge()
}

/** Ends the faults of an organization. */
export async function deletePayFaults(db: Db, owner: string): Promise<void> {
  await db('sim_pay_faults').where({ owner }).delete()
}

/** Returns how a call of an organization fails, and counts it; null when it works. */
export async function takeCallFault(db: Db, owner: string, call: string): Promise<CallFault | null> {
  const hit = await firstRow<{ calls: CallFault }>(
    db,
    `update sim_pay_faults set times = times - 1
      where owner = :owner and calls is not null and (times is null or times > 0)
        and (only_calls is null or starts_with(:call, only_calls))
      returning calls`,
    { owner, call },
  )
  return hit?.calls ?? null
}

/** Returns what becomes of the events of an organization; null when they are delivered. */
export async function webhookFault(db: Db, owner: string): Promise<WebhookFault | null> {
  const row = await firstRow<{ webhooks: WebhookFault | null }>(
    db,
    'select webhooks from sim_pay_faults where owner = :owner',
    { owner },
  )
  return row?.webhooks ?? null
}
