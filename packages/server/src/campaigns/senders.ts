import type { Db } from '../db/db.ts'
import { apiError } from '../errors.ts'
import type { Caller } from '../http/handler.ts'
import { findNumber } from '../numbers/records/store.ts'
import { listCandidates } from '../numbers/send-group/candidate-store.ts'
import { type ChosenNumber, numberNotFound, selectSenders } from '../numbers/send-group/select-number.ts'
import { findGroup } from '../numbers/send-group/send-group-store.ts'
import type { CampaignRow } from './store.ts'

type Phones = readonly string[]

/** Throws NOT_FOUND when a number is named that is not the organization's. */
export async function requireKnownNumber(
  db: Db,
  organizationId: string,
  containerId: string | undefined,
): Promise<void> {
  if (containerId !== undefined && !(await findNumber(db, organizationId, containerId))) throw numberNotFound()
}

/**
 * The number for each person of a campaign that somebody starts or resumes: that of a number's key, the one asked for, or
 * the one it is bound to, and no other; else as for every send, spread over the send group in share mode. Throws
 * NO_SESSION_CONFIGURED.
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
 * The numbers of a scheduled start (specification, "Campaign statuses": starts from the default number): the number that
 * the campaign is bound to, else in share mode the send group, else the default number. Throws NO_SESSION_CONFIGURED.
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
  return phones.map(() => ({ containerId: number.id, pinned: false }))
}

/** How many numbers would carry a campaign of this caller: several only in share mode of the send group. */
export async function countSenders(db: Db, { organizationId, containerId }: Caller): Promise<number> {
  const group = await findGroup(db, organizationId)
  if (containerId !== null || !group.enabled || group.mode !== 'share') return 1
  const candidates = await listCandidates(db, organizationId, null)
  const working = candidates.filter(({ id, status }) => status === 'WORKING' && group.containerIds.includes(id))
  return Math.max(1, working.length)
}
