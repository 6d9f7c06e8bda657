import { operator, recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller } from '#api/http/handler.ts'
import { findPlatformState } from '#people/organizations/platform-admin-store.ts'
import { lockOrganization } from '#people/organizations/store.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { noSuchOrganization } from './read.ts'

/** One change, as it stands in both logs. */
export interface StaffChange {
  /** The action in the log of the organization: that of the operator's command line. */
  readonly action: string
  /** The verb in the log of the staff. */
  readonly verb: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** A request of the staff about an organization. */
export interface StaffRequest {
  readonly caller: Caller
  readonly params: { readonly organizationId: string }
  readonly body: { readonly reason: string }
}

/**
 * Makes changes of the staff to an organization, and records each in both logs, in one transaction. The people of the
 * organization read what was done and why, not by whom. Throws NOT_FOUND, and FORBIDDEN_ACTION for a deleted
 * organization and for one that administers the platform.
 */
export async function changeAsStaff(
  { db }: Pick<Services, 'db'>,
  { caller, params: { organizationId }, body: { reason } }: StaffRequest,
  change: (trx: Db) => Promise<readonly StaffChange[]>,
): Promise<void> {
  await transaction(db, async (trx) => {
    await requireChangeable(trx, organizationId)
    for (const { action, verb, details = {} } of await change(trx)) {
      const entry = { details: { ...details, reason } }
      await recordActivity(trx, { organizationId, actor: operator, action, ...entry })
      await recordActivity(trx, {
        organizationId: caller.organizationId,
        actor: toActor(caller),
        action: `admin.${verb}`,
        subject: organizationId,
        ...entry,
      })
    }
  })
}

/** Locks an organization that the staff may change. Throws as {@link changeAsStaff}. */
export async function requireChangeable(trx: Db, organizationId: string): Promise<void> {
  if (!(await lockOrganization(trx, organizationId))) throw noSuchOrganization()
  const { isPlatformAdmin, isDeleted } = await findPlatformState(trx, organizationId)
  if (isPlatformAdmin) {
    throw apiError('FORBIDDEN_ACTION', 'An organization that administers the platform is changed by its operator.', {
      reason: 'platform_admin',
    })
  }
  if (isDeleted) {
    throw apiError('FORBIDDEN_ACTION', 'The organization is deleted. The operator can restore it.', {
      reason: 'deleted',
    })
  }
}
