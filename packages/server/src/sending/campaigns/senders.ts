import type { Caller } from '#api/http/handler.ts'
import { findNumber } from '#numbers/records/store.ts'
import { listCandidates } from '#numbers/send-group/candidate-store.ts'
import { type ChosenNumber, numberNotFound, queueIsHeld, selectSenders } from '#numbers/send-group/select-number.ts'
import { findGroup } from '#numbers/send-group/send-group-store.ts'
import type { Db } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { CampaignRow } from './store.ts'

type Phones = readonly string[]

/** Throws NOT_FOUND for a number of another organization. */
export async function requireKnownNumber(
  db: Db,
  organizationId: string,
  containerId: string | undefined,
): Promise<void> {
  if (containerId !== undefined && !(await findNumber(db, organizationId, containerId))) throw numberNotFound()
}

/**
 * Returns the number for each recipient of a campaign that a caller starts or resumes. `containerId` is the number of
 * the key, of the request or of the campaign, and is used alone. Without one the numbers are selected as for every
 * send. Throws NO_SESSION_CONFIGURED.
 */
export async function selectCampaignSenders(
  db: Db,
  caller: Pick<Caller, 'organizationId' | 'containerId'>,
  containerId: string | null,
  phones: Phones,
): Promise<ChosenNumber[]> {
  return selectSenders(db, caller, containerId ?? undefined, phones, 'campaigns')
}

/**
 * Returns the number for each recipient of a scheduled start (specification, "Campaign statuses": starts from the
 * default number). It is the number that the campaign is bound to, else in share mode the send group, else the default
 * number. Throws NO_SESSION_CONFIGURED.
 */
export async function selectStartSenders(
  db: Db,
  { organizationId, containerId }: CampaignRow,
  phones: Phones,
): Promise<ChosenNumber[]> {
  const caller = { organizationId, containerId: null }
  const group = await findGroup(db, organizationId)
  if (containerId !== null || (group.enabled && group.mode === 'share')) {
    return selectSenders(db, caller, containerId ?? undefined, phones, 'campaigns')
  }
  const number = (await listCandidates(db, organizationId, null)).find(({ isDefault }) => isDefault)
  if (number?.status !== 'WORKING') {
    throw apiError('NO_SESSION_CONFIGURED', 'The default number is not connected.')
  }
  if (number.held) throw queueIsHeld()
  return phones.map(() => ({ containerId: number.id, pinned: false }))
}

/**
 * Returns how many numbers a campaign of this caller would use: several only in share mode of the send group. A number
 * whose queue is held takes no campaign.
 */
export async function countSenders(db: Db, { organizationId, containerId }: Caller): Promise<number> {
  const group = await findGroup(db, organizationId)
  if (containerId !== null || !group.enabled || group.mode !== 'share') return 1
  const candidates = await listCandidates(db, organizationId, null)
  const usable = candidates.filter(
    ({ id, status, held }) => status === 'WORKING' && !held && group.containerIds.includes(id),
  )
  return Math.max(1, usable.length)
}
