import type { GatewaySession } from '@msgctl/network/gateway'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import { type Link, nextStepMs, unlinked } from './machine.ts'

/** The profile of a number on the network. */
export interface StoredProfile {
  readonly name: string | null
  readonly about: string
  readonly pictureUrl: string | null
}

export interface SessionRow extends GatewaySession {
  readonly hostDown: boolean
  readonly restrictedUntil: Date | null
  readonly contactsSyncedAt: Date | null
  readonly link: Link
  readonly profile: StoredProfile
  /** Names in the address book of the phone, by digits. */
  readonly contacts: Readonly<Record<string, string>>
  readonly now: Date
}

const columns = `container_id, organization_id, host_down, restricted_until, contacts_synced_at, machine as link,
  profile, contacts,
  service_now() as now`
const freshProfile: StoredProfile = { name: null, about: 'Available', pictureUrl: null }

/**
 * Adds a number, without effect when the network knows it. Its reports are counted from the time in milliseconds, so
 * that a number that was deleted and added again continues above its earlier reports.
 */
export async function ensureSession(db: Db, session: GatewaySession): Promise<void> {
  await rows(
    db,
    `insert into sim_sessions (container_id, organization_id, status, machine, profile)
     values (:containerId, :organizationId, :status,
             :link::jsonb || jsonb_build_object('sequence', floor(extract(epoch from service_now()) * 1000)::bigint),
             :profile::jsonb) on conflict do nothing`,
    { ...session, status: unlinked.status, link: unlinked, profile: freshProfile },
  )
}

/** Selects the row of a number. */
function selectSession(db: Db, { containerId, organizationId }: GatewaySession) {
  return db('sim_sessions').where({ containerId, organizationId })
}

/** One number of an organization, or undefined. */
export async function readSession(db: Db, session: GatewaySession): Promise<SessionRow | undefined> {
  const found = await rows<SessionRow>(
    db,
    `select ${columns} from sim_sessions where container_id = :containerId and organization_id = :organizationId`,
    { ...session },
  )
  return found[0]
}

/** One number, locked until the transaction ends. */
export async function lockSession(trx: Db, session: GatewaySession): Promise<SessionRow | undefined> {
  const found = await rows<SessionRow>(
    trx,
    `select ${columns} from sim_sessions
      where container_id = :containerId and organization_id = :organizationId for update`,
    { ...session },
  )
  return found[0]
}

/** Returns a number with its organization, by its id alone. */
export async function findSession(db: Db, containerId: string): Promise<GatewaySession | undefined> {
  return db('sim_sessions')
    .where({ containerId })
    .first({ containerId: 'container_id', organizationId: 'organization_id' })
}

/** Returns numbers with a due step, locked until the transaction ends, without those that another one has locked. */
export async function lockDueSessions(trx: Db, limit: number): Promise<SessionRow[]> {
  return rows<SessionRow>(
    trx,
    `select ${columns} from sim_sessions where step_at <= (select service_now())
      order by step_at limit :limit for update skip locked`,
    { limit },
  )
}

/** Writes the new state of one link. */
export async function saveLink(trx: Db, session: GatewaySession, link: Link): Promise<void> {
  const stepMs = nextStepMs(link)
  await selectSession(trx, session).update({
    status: link.status,
    phone: link.phone,
    stepAt: stepMs === null ? null : new Date(stepMs),
    machine: link,
  })
}

/** Turns the host of a number off or on. */
export async function saveHost(trx: Db, session: GatewaySession, down: boolean): Promise<void> {
  await selectSession(trx, session).update({ hostDown: down })
}

/** Which of these numbers have their host down. */
export async function hostsDown(db: Db, sessions: readonly GatewaySession[]): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    db,
    'select container_id as id from sim_sessions where container_id = any(:ids::uuid[]) and host_down',
    { ids: sessions.map(({ containerId }) => containerId) },
  )
  return new Set(found.map(({ id }) => id))
}

/** Limits the account for a while. */
export async function restrict(db: Db, session: GatewaySession, ms: number): Promise<void> {
  await selectSession(db, session).update({ restrictedUntil: serviceNow(db, ms) })
}

/** Records that the number synced its contacts. Returns whether it was the first time. */
export async function markContactsSynced(db: Db, session: GatewaySession): Promise<boolean> {
  const first = selectSession(db, session).whereNull('contactsSyncedAt')
  return (await first.update({ contactsSyncedAt: serviceNow(db) })) > 0
}

/** Writes the profile of a number; what is left out stays. */
export async function saveProfile(db: Db, session: GatewaySession, change: Partial<StoredProfile>): Promise<void> {
  await rows(
    db,
    `update sim_sessions set profile = profile || :change::jsonb
      where container_id = :containerId and organization_id = :organizationId`,
    { containerId: session.containerId, organizationId: session.organizationId, change },
  )
}

/** Saves a person in the address book of the phone of a number. */
export async function saveName(db: Db, session: GatewaySession, digits: string, name: string): Promise<void> {
  await rows(
    db,
    `update sim_sessions set contacts = contacts || jsonb_build_object(:digits::text, :name::text)
      where container_id = :containerId and organization_id = :organizationId`,
    { containerId: session.containerId, organizationId: session.organizationId, digits, name },
  )
}

/** Which of these phones are linked to some number. */
export async function takenPhones(db: Db, phones: readonly string[]): Promise<Set<string>> {
  const taken = await rows<{ phone: string }>(
    db,
    'select distinct phone from sim_sessions where phone = any(:phones::text[])',
    { phones },
  )
  return new Set(taken.map(({ phone }) => phone))
}

/** Deletes a number. */
export async function deleteSession(trx: Db, session: GatewaySession): Promise<void> {
  await selectSession(trx, session).delete()
}
