import type { Reminder, ReminderStatus, Repeat } from '@msgctl/contract'
import { toPartsBySize } from '#platform/concurrency/rounds.ts'
import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import { lengthOfVariables } from '#sending/messages/template.ts'

type Times = 'sendAt' | 'firstSendAt' | 'lastSentAt' | 'createdAt' | 'updatedAt'

/** A row of a reminder, with the status of its last message. */
export type ReminderRow = Omit<Reminder, Times> & {
  readonly sendAt: Date
  readonly firstSendAt: Date
  readonly lastSentAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A reminder to store. */
export interface NewReminder {
  readonly id: string
  readonly ownerId: string
  readonly containerId: string | null
  readonly label: string | null
  readonly phone: string
  readonly message: string
  readonly variables: Readonly<Record<string, string>>
  readonly repeat: Repeat
  readonly timeZone: string
  readonly sendAt: Date
  readonly batchId: string | null
  readonly clientReference: string | null
}

const columns = `
  r.id, r.owner_id, r.container_id, r.label, r.phone, r.message, r.variables, r.send_at, r.first_send_at, r.repeat,
  r.status, r.batch_id, r.send_count, r.last_sent_at, r.last_message_id,
  coalesce(r.last_error,
    (select coalesce(m.error_code, m.error) from messages m where m.id = r.last_message_id and m.status = 'failed'))
    as last_error, r.created_at, r.updated_at, r.time_zone, r.client_reference,
  (select m.status from messages m where m.id = r.last_message_id) as last_message_status`

/** Returns the person for whom a key acts: the owner of the organization. */
export async function findOwner(db: Db, organizationId: string): Promise<string> {
  const owner = await db('members').where({ organizationId, role: 'owner' }).first('userId')
  if (!owner) throw new Error('an organization has an owner')
  return owner.userId
}

/**
 * Reminders of one statement, and the characters of their texts: 5,000 with the longest text are 20 MB, which the
 * driver builds in one go.
 */
const chunk = { items: 500, size: 512 * 1024 }

/** Stores scheduled reminders, in parts, so that others run in between. */
export async function insertReminders(trx: Db, organizationId: string, all: readonly NewReminder[]): Promise<void> {
  const lengthOf = ({ message, variables }: NewReminder) => message.length + lengthOfVariables(variables)
  for (const part of toPartsBySize(all, lengthOf, chunk)) await insertPart(trx, organizationId, part)
}

async function insertPart(trx: Db, organizationId: string, all: readonly NewReminder[]): Promise<void> {
  await rows(
    trx,
    `insert into reminders (id, organization_id, owner_id, container_id, label, phone, message, variables, repeat,
                            time_zone, status, send_at, first_send_at, due_at, batch_id, client_reference, created_at,
                            updated_at)
     select n.id, :organizationId, n."ownerId", n."containerId", n.label, n.phone, n.message, n.variables, n.repeat,
            n."timeZone", 'scheduled', n."sendAt", n."sendAt", n."sendAt", n."batchId",
            n."clientReference", (select service_now()), (select service_now())
       from jsonb_to_recordset(:reminders::jsonb) as n(
         id uuid, "ownerId" uuid, "containerId" uuid, label text, phone text, message text, variables jsonb,
         repeat text,
         "timeZone" text, "sendAt" timestamptz, "batchId" uuid, "clientReference" text)`,
    { organizationId, reminders: JSON.stringify(all) },
  )
}

/** Returns one reminder of the organization, or undefined. */
export async function findReminder(db: Db, organizationId: string, id: string): Promise<ReminderRow | undefined> {
  return firstRow<ReminderRow>(
    db,
    `select ${columns} from reminders r where r.organization_id = :organizationId and r.id = :id`,
    { organizationId, id },
  )
}

/** A reminder whose row is locked until the transaction ends. */
export type LockedReminder = Pick<ReminderRow, 'status' | 'sendAt' | 'message' | 'variables'>

/** Locks a reminder; undefined when there is none. */
export async function lockReminder(trx: Db, organizationId: string, id: string): Promise<LockedReminder | undefined> {
  return trx('reminders')
    .where({ organizationId, id })
    .select<LockedReminder[]>({ status: 'status', sendAt: 'send_at', message: 'message', variables: 'variables' })
    .forUpdate()
    .first()
}

/** A change to a reminder. Undefined keeps a value; `sendAt` arms the reminder. */
export interface ReminderChange {
  readonly containerId: string | null | undefined
  readonly label: string | null | undefined
  readonly phone: string | undefined
  readonly message: string | undefined
  readonly variables: Readonly<Record<string, string>> | undefined
  readonly repeat: Repeat | undefined
  readonly timeZone: string | undefined
  readonly sendAt: Date | undefined
  readonly clientReference: string | null | undefined
  readonly status: ReminderStatus
}

/** Changes a locked reminder. A new repeat or zone counts from the next occurrence, not from the first one. */
export async function changeReminder(
  trx: Db,
  organizationId: string,
  id: string,
  change: ReminderChange,
): Promise<void> {
  const { sendAt, containerId, label, variables } = change
  await rows(
    trx,
    `update reminders
        set container_id = case when :setNumber then :containerId::uuid else container_id end,
            label = case when :setLabel then :label else label end,
            client_reference = case when :setReference then :clientReference else client_reference end,
            phone = coalesce(:phone, phone), message = coalesce(:message, message),
            variables = coalesce(:variables::jsonb, variables), repeat = coalesce(:repeat, repeat),
            first_send_at = case when :repeat <> repeat or :timeZone <> time_zone then send_at else first_send_at end,
            time_zone = coalesce(:timeZone, time_zone), status = :status, updated_at = (select service_now())
      where organization_id = :organizationId and id = :id`,
    {
      organizationId,
      id,
      setNumber: containerId !== undefined,
      containerId: containerId ?? null,
      setLabel: label !== undefined,
      label: label ?? null,
      setReference: change.clientReference !== undefined,
      clientReference: change.clientReference ?? null,
      phone: change.phone ?? null,
      message: change.message ?? null,
      variables: variables === undefined ? null : JSON.stringify(variables),
      repeat: change.repeat ?? null,
      timeZone: change.timeZone ?? null,
      status: change.status,
    },
  )
  if (sendAt) await reschedule(trx, organizationId, id, sendAt)
}

async function reschedule(trx: Db, organizationId: string, id: string, sendAt: Date): Promise<void> {
  await trx('reminders').where({ organizationId, id }).increment('scheduleVersion', 1).update({
    sendAt,
    firstSendAt: sendAt,
    dueAt: sendAt,
    failedTries: 0,
    failedRepeats: 0,
    lastError: null,
  })
}

/** Moves a locked reminder to a status. */
export async function setStatus(trx: Db, organizationId: string, id: string, status: ReminderStatus): Promise<void> {
  await trx('reminders')
    .where({ organizationId, id })
    .update({ status, updatedAt: serviceNow(trx) })
}

/** Deletes a reminder. Returns false when there was none. */
export async function deleteReminder(db: Db, organizationId: string, id: string): Promise<boolean> {
  return (await db('reminders').where({ organizationId, id }).delete()) > 0
}

/** A filter of reminders: by status, and by text in the phone or the label. Null matches all. */
export interface ReminderFilter {
  readonly organizationId: string
  readonly status: ReminderStatus | null
  readonly search: string | null
}

const filter = `
  r.organization_id = :organizationId and (:status::text is null or r.status = :status)
  and (:search::text is null or strpos(lower(r.label), lower(:search)) > 0
       or (:digits::text <> '' and strpos(r.phone, :digits) > 0))`
const upcoming = `r.status in ('scheduled', 'processing')`

/** Returns one page: upcoming ones first, soonest first, then the others by their latest change. */
export async function listReminders(
  db: Db,
  query: ReminderFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<ReminderRow[]> {
  return rows<ReminderRow>(
    db,
    `select ${columns} from reminders r where ${filter}
      order by (${upcoming}) desc, (case when ${upcoming} then r.send_at end), r.updated_at desc, r.id desc
      limit :limit offset :offset`,
    { ...toBindings(query), ...page },
  )
}

/** Counts the reminders that match. */
export async function countReminders(db: Db, query: ReminderFilter): Promise<number> {
  const [counted] = await rows<{ total: number }>(
    db,
    `select count(*) as total from reminders r where ${filter}`,
    toBindings(query),
  )
  return counted?.total ?? 0
}

/** Phones are stored as digits only. */
function toBindings({ search, ...query }: ReminderFilter) {
  return { ...query, search, digits: search === null ? null : search.replace(/[\s().+-]/g, '') }
}

/** Counts the reminders of the organization that were never sent. */
export async function countUnsent(trx: Db, organizationId: string): Promise<number> {
  const [row] = await rows<{ count: number }>(
    trx,
    `select count(*) as count from reminders where organization_id = :organizationId and send_count = 0`,
    { organizationId },
  )
  return row?.count ?? 0
}
