import { type Db, rows } from '#platform/db/db.ts'
import { purging } from '#platform/db/session.ts'
import { erasedByContact, erasedByPhone } from './contact-plan.ts'

/** A person as an organization knows them. */
export interface KnownPerson {
  readonly organizationId: string
  /** The phone, and the hidden ids that belong to it. */
  readonly addresses: readonly string[]
  readonly contactIds: readonly string[]
}

/** Returns the contacts of a phone, locked. */
export async function lockPerson(trx: Db, organizationId: string, phone: string): Promise<KnownPerson> {
  const found = await rows<{ id: string; lid: string | null }>(
    trx,
    `select id, lid from contacts where organization_id = :organizationId and phone = :phone for update`,
    { organizationId, phone },
  )
  const lids = found.flatMap(({ lid }) => (lid === null ? [] : [lid]))
  return { organizationId, addresses: [phone, ...lids], contactIds: found.map(({ id }) => id) }
}

/** Counts the messages to a person that wait or are being sent. */
export async function countUnsent(trx: Db, { organizationId, addresses }: KnownPerson): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    trx,
    `select count(*) as count from messages
      where organization_id = :organizationId and recipient = any(:addresses::text[])
        and status in ('queued', 'sending')`,
    { organizationId, addresses },
  )
  return counted?.count ?? 0
}

/** Returns the names of campaigns that list a person and have not ended. */
export async function listOpenCampaigns(trx: Db, { organizationId, addresses }: KnownPerson): Promise<string[]> {
  const found = await rows<{ name: string }>(
    trx,
    `select c.name from campaigns c
      where c.organization_id = :organizationId and c.status not in ('completed', 'cancelled')
        and exists (select from campaign_recipients r where r.campaign_id = c.id and r.phone = any(:addresses::text[]))
      order by c.name`,
    { organizationId, addresses },
  )
  return found.map(({ name }) => name)
}

/** Deletes the rows about a person by the plan. Counts and totals stay. Returns how many there were, by table. */
export async function deleteRowsOf(trx: Db, person: KnownPerson): Promise<Record<string, number>> {
  // Counts of messages and campaigns do not fall.
  await rows(trx, purging)
  const counts: Record<string, number> = {}
  const { organizationId, addresses, contactIds } = person
  for (const { table, column } of erasedByContact) {
    // An index of chat_messages begins with the number, none with the contact.
    const numbers = table === 'chat_messages' ? `and container_id in (${numbersOf})` : ''
    counts[table] = await deleted(
      trx,
      `delete from :table: where organization_id = :organizationId and :column: = any(:contactIds::uuid[]) ${numbers}`,
      { table, column, organizationId, contactIds },
    )
  }
  for (const { table, column } of erasedByPhone) {
    const owned =
      table === 'campaign_recipients'
        ? 'campaign_id in (select id from campaigns where organization_id = :organizationId)'
        : 'organization_id = :organizationId'
    counts[table] = await deleted(trx, `delete from :table: where ${owned} and :column: = any(:addresses::text[])`, {
      table,
      column,
      organizationId,
      addresses,
    })
  }
  return counts
}

/** The numbers of an organization, and those with a chat of the contact that were removed since. */
const numbersOf = `select id from numbers where organization_id = :organizationId
  union select container_id from chats where contact_id = any(:contactIds::uuid[])`

async function deleted(trx: Db, statement: string, bindings: Record<string, unknown>): Promise<number> {
  const [result] = await rows<{ count: number }>(
    trx,
    `with gone as (${statement} returning 1) select count(*) as count from gone`,
    bindings,
  )
  return result?.count ?? 0
}
