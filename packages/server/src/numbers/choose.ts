import type { NumberStatus } from '@msgctl/contract'
import type { Db } from '../db/db.ts'
import { apiError } from '../errors.ts'
import { findNumber, listCandidates, type NumberRow } from './store.ts'

/** What the choice of a number looks at. */
export interface Candidate {
  readonly id: string
  readonly isDefault: boolean
  readonly status: NumberStatus
}

/** The number a caller is bound to or asks for. */
export interface Wish {
  /** The number of a per-number key; it wins over everything. */
  readonly ownContainerId: string | null
  readonly containerId: string | null
}

/** What became of a choice: a number, an id that is not among the candidates, or nothing to choose from. */
export type Choice<C extends Candidate> =
  | { readonly is: 'chosen'; readonly number: C; readonly pinned: boolean }
  | { readonly is: 'unknown' }
  | { readonly is: 'none' }

/**
 * Which number a send goes through (specification, "Conventions"): a number's key always its own, else the one asked
 * for; both are pinned and must work. Else the default while it works, else any that works, the oldest first.
 */
export function chooseSender<C extends Candidate>(candidates: readonly C[], wish: Wish): Choice<C> {
  const asked = askedBy(wish)
  if (asked !== null) {
    const number = candidates.find((candidate) => candidate.id === asked)
    if (!number) return { is: 'unknown' }
    return number.status === 'WORKING' ? { is: 'chosen', number, pinned: true } : { is: 'none' }
  }
  const working = candidates.filter((candidate) => candidate.status === 'WORKING')
  const number = working.find((candidate) => candidate.isDefault) ?? working[0]
  return number ? { is: 'chosen', number, pinned: false } : { is: 'none' }
}

/** Which number a look or an operation is about: as for a send, but one that does not work will do too. */
export function chooseSubject<C extends Candidate>(candidates: readonly C[], wish: Wish): Choice<C> {
  const asked = askedBy(wish)
  const number =
    asked === null
      ? (candidates.find((candidate) => candidate.isDefault) ?? candidates[0])
      : candidates.find((candidate) => candidate.id === asked)
  if (number) return { is: 'chosen', number, pinned: asked !== null }
  return { is: asked === null ? 'none' : 'unknown' }
}

interface Asking {
  readonly organizationId: string
  readonly containerId: string | null
}

/**
 * The number that a send of this caller goes through. Throws NOT_FOUND for a containerId that is not the
 * organization's, NO_SESSION_CONFIGURED when the number is not connected or there is none.
 */
export async function chooseForSend(
  db: Db,
  caller: Asking,
  containerId: string | undefined,
): Promise<{ containerId: string; pinned: boolean }> {
  const wish = wishOf(caller, containerId)
  const candidates = await listCandidates(db, caller.organizationId, askedBy(wish))
  const choice = chooseSender(candidates, wish)
  if (choice.is === 'chosen') return { containerId: choice.number.id, pinned: choice.pinned }
  if (choice.is === 'unknown') throw noSuchNumber()
  if (candidates.length === 0) throw noNumberYet()
  const which = askedBy(wish) === null ? 'No number of the organization is connected' : 'The number is not connected'
  throw apiError('NO_SESSION_CONFIGURED', `${which}. GET /session/status says what to do.`)
}

/**
 * The number that a look or an operation of this caller is about. Throws NOT_FOUND for a containerId that is not the
 * organization's, NO_SESSION_CONFIGURED when there is none at all.
 */
export async function chooseForLook(db: Db, caller: Asking, containerId: string | undefined): Promise<NumberRow> {
  const { organizationId } = caller
  const wish = wishOf(caller, containerId)
  const choice = chooseSubject(await listCandidates(db, organizationId, askedBy(wish)), wish)
  if (choice.is === 'none') throw noNumberYet()
  const number = choice.is === 'chosen' ? await findNumber(db, organizationId, choice.number.id) : undefined
  if (!number) throw noSuchNumber()
  return number
}

function noNumberYet() {
  return apiError('NO_SESSION_CONFIGURED', 'The organization has no number yet. Add one and link it.')
}

/** The one wording for a number that is unknown or another organization's. */
export function noSuchNumber() {
  return apiError('NOT_FOUND', 'There is no such number.')
}

function askedBy({ ownContainerId, containerId }: Wish): string | null {
  return ownContainerId ?? containerId
}

function wishOf(caller: Asking, containerId: string | undefined): Wish {
  return { ownContainerId: caller.containerId, containerId: containerId ?? null }
}
