import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import type { Services } from '#services.ts'
import { listStaffActivity, type StaffEntry } from './activity-store.ts'

/** Lists what the staff did, the latest first. */
export async function listActivity({ query }: Request<Contract['platform']['activity']>, { db }: Pick<Services, 'db'>) {
  const { organizationId = null, cursor = null, limit } = query
  const found = await listStaffActivity(db, { organizationId, before: cursor, limit: limit + 1 })
  const page = found.slice(0, limit)
  return {
    entries: page.map(toEntry),
    nextCursor: found.length > limit ? String(page.at(-1)?.id ?? '') : null,
  }
}

function toEntry({ id, at, action, details, ip, ...entry }: StaffEntry) {
  const { actorId, actorName, actorEmail, organizationId, organizationName } = entry
  return {
    id: String(id),
    at: at.toISOString(),
    actor: actorId === null ? null : { id: actorId, name: actorName ?? '', email: actorEmail ?? '' },
    action,
    organization: { id: organizationId, name: organizationName },
    details,
    ip,
  }
}
