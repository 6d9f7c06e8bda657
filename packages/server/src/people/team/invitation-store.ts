import type { GivenRole } from '#people/organizations/members.ts'
import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** An invitation that works, with the names that its receiver sees. */
export interface Invitation
  extends Pick<Row<'invitations'>, 'id' | 'organizationId' | 'email' | 'createdAt' | 'expiresAt'> {
  readonly organizationName: string
  /** Whether the organization is deactivated. */
  readonly deactivated: boolean
  readonly inviterName: string
  readonly role: GivenRole
  /** `mail`: the link reached the mailbox. `shown`: the inviter saw it, so it proves no mailbox. */
  readonly delivery: 'mail' | 'shown'
}

/** An invitation ends with its week, and when its inviter may not make it any more. */
const openInvitations = `
  select i.id, i.organization_id, o.name as organization_name,
         o.deactivated_at is not null as deactivated, u.name as inviter_name, i.email, i.role, i.delivery, i.created_at,
         i.expires_at
    from invitations i
    join organizations o on o.id = i.organization_id
    join users u on u.id = i.invited_by
    join members m on m.organization_id = i.organization_id and m.user_id = i.invited_by
     and (m.role = 'owner' or m.role = 'admin' and i.role = 'member')
   where o.deleted_at is null and i.accepted_at is null and i.cancelled_at is null
     and i.expires_at > (select service_now())`

/** Returns the open invitation with this token, or undefined. */
export async function findInvitation(db: Db, tokenHash: Buffer): Promise<Invitation | undefined> {
  return firstRow<Invitation>(db, `${openInvitations} and i.token_hash = :tokenHash`, { tokenHash })
}

/** Returns an invitation of an organization, or undefined when it is open no longer. */
export async function findOpenInvitation(db: Db, organizationId: string, id: string): Promise<Invitation | undefined> {
  const one = 'and i.organization_id = :organizationId and i.id = :id'
  return firstRow<Invitation>(db, `${openInvitations} ${one}`, { organizationId, id })
}

/** Returns the open invitations of an organization, the latest first. */
export async function listInvitations(db: Db, organizationId: string): Promise<Invitation[]> {
  const order = 'order by i.created_at desc, i.id'
  return rows<Invitation>(db, `${openInvitations} and i.organization_id = :organizationId ${order}`, { organizationId })
}

/** A new invitation. */
export interface NewInvitation extends Pick<Invitation, 'id' | 'organizationId' | 'email' | 'role' | 'delivery'> {
  readonly tokenHash: Buffer
  readonly invitedBy: string
  readonly days: number
}

/** Stores an invitation. Cancel an earlier one of the address first. */
export async function insertInvitation(trx: Db, invitation: NewInvitation): Promise<void> {
  await rows(
    trx,
    `insert into invitations
       (id, organization_id, email, role, token_hash, delivery, invited_by, created_at, expires_at)
     select :id, :organizationId, :email, :role, :tokenHash, :delivery, :invitedBy, now,
            now + :days::int * interval '1 day'
       from (select service_now() as now) t`,
    { ...invitation },
  )
}

/**
 * Returns the whole seconds until an organization may send another invitation, of at most `most` in `windowSeconds`;
 * null when it may now. Ones that ended since count.
 */
export async function secondsToInvite(
  trx: Db,
  organizationId: string,
  most: number,
  windowSeconds: number,
): Promise<number | null> {
  const [first] = await rows<{ seconds: number }>(
    trx,
    `select ceil(extract(epoch from i.created_at - t.since))::int as seconds
       from (select service_now() - :windowSeconds::int * interval '1 second' as since) t
       join invitations i on i.organization_id = :organizationId and i.created_at > t.since
      order by i.created_at desc offset :most::int - 1 limit 1`,
    { organizationId, most, windowSeconds },
  )
  return first?.seconds ?? null
}

/** Cancels the invitation of an address, if there is one; an expired one too. */
export async function cancelInvitationOf(trx: Db, organizationId: string, email: string): Promise<void> {
  await rows(
    trx,
    `update invitations set cancelled_at = service_now()
      where organization_id = :organizationId and lower(email) = lower(:email)
        and accepted_at is null and cancelled_at is null`,
    { organizationId, email },
  )
}

/** Uses an invitation up. Returns false when another request was first. */
export async function takeInvitation(trx: Db, organizationId: string, id: string): Promise<boolean> {
  const taken = await trx('invitations')
    .where({ organizationId, id })
    .whereNull('acceptedAt')
    .whereNull('cancelledAt')
    .update({ acceptedAt: serviceNow(trx) })
  return taken > 0
}

/** Deletes up to `limit` invitations that ended 30 days ago. Returns how many there were. */
export async function deleteEndedInvitations(db: Db, limit = 5000): Promise<number> {
  const deleted = await rows(
    db,
    `delete from invitations where id in (
       select id from invitations where expires_at < (select service_now()) - interval '30 days' limit :limit)
     returning id`,
    { limit },
  )
  return deleted.length
}

/** Deletes all invitations of an organization. */
export async function deleteInvitations(trx: Db, organizationId: string): Promise<void> {
  await trx('invitations').where({ organizationId }).delete()
}

/** Ends all invitations to an address, and removes it from them. Their rows count for the limit of who sent them. */
export async function eraseInvitationsTo(trx: Db, email: string): Promise<void> {
  await rows(
    trx,
    `update invitations set email = '', cancelled_at = coalesce(cancelled_at, service_now())
      where lower(email) = lower(:email)`,
    { email },
  )
}
