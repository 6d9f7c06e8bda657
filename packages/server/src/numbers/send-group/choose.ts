import type { NumberStatus } from '@msgctl/contract'
import type { Db } from '../../db/db.ts'
import { apiError } from '../../errors.ts'
import { findNumber, type NumberRow } from '../records/store.ts'
import { listCandidates } from './candidate-store.ts'
import { type Circumstances, groupChooser, noGroup, nothingKnown, type SendGroup } from './send-group-rules.ts'
import { campaignTurnsOf, findGroup, lastNumbersOf, turnsOf } from './send-group-store.ts'

/** What the choice of a number looks at. */
export interface Candidate {
  readonly id: string
  readonly isDefault: boolean
  readonly status: NumberStatus
  /** Its queue waits for a person's decision, because another phone was linked. */
  readonly held: boolean
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
 * Which number sends to each contact go through (specification, "Conventions"): a number's key always its own, else the
 * one asked for; both are pinned and must work. Else what the send group says, else the default while it works, else any
 * that works, the oldest first. One that works and whose queue is held is the last resort.
 */
export function senderChooser<C extends Candidate>(
  candidates: readonly C[],
  wish: Wish,
  group: SendGroup,
  circumstances: Circumstances,
): (contact: string) => Choice<C> {
  const asked = askedBy(wish)
  if (asked !== null) {
    const choice = pinnedChoice(candidates, asked)
    return () => choice
  }
  const able = ableOf(candidates)
  const fromGroup = groupChooser(group, able, circumstances)
  return (contact) => {
    const number = fromGroup(contact) ?? able.find((candidate) => candidate.isDefault) ?? able[0]
    return number ? { is: 'chosen', number, pinned: false } : { is: 'none' }
  }
}

function pinnedChoice<C extends Candidate>(candidates: readonly C[], asked: string): Choice<C> {
  const number = candidates.find((candidate) => candidate.id === asked)
  if (!number) return { is: 'unknown' }
  return number.status === 'WORKING' ? { is: 'chosen', number, pinned: true } : { is: 'none' }
}

/** The numbers that can send, those with a held queue only where there is no other. */
function ableOf<C extends Candidate>(candidates: readonly C[]): C[] {
  const working = candidates.filter((candidate) => candidate.status === 'WORKING')
  const free = working.filter((candidate) => !candidate.held)
  return free.length > 0 ? free : working
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

/** The number that a message goes through; a pinned one never moves to another number. */
export interface ChosenNumber {
  readonly containerId: string
  readonly pinned: boolean
}

/**
 * The number that a send of this caller to `contact`, digits or a hidden id, goes through. Left out, somebody is meant
 * whom nobody wrote to. Throws NOT_FOUND for a containerId that is not the organization's, NO_SESSION_CONFIGURED when
 * the number is not connected or there is none.
 */
export async function chooseForSend(
  db: Db,
  caller: Asking,
  containerId: string | undefined,
  contact = '',
): Promise<ChosenNumber> {
  const [chosen] = await chooseForEach(db, caller, containerId, [contact])
  if (!chosen) throw new Error('a choice for one contact has one answer')
  return chosen
}

/** Where messages wait for their turn: texts and campaigns stand beside each other on every number. */
type Queue = 'texts' | 'campaigns'

/**
 * The same for many contacts at once, in their order: in share mode they are spread over the group, by the turns that are
 * taken there in the queue they come to.
 */
export async function chooseForEach(
  db: Db,
  caller: Asking,
  containerId: string | undefined,
  contacts: readonly string[],
  queue: Queue = 'texts',
): Promise<ChosenNumber[]> {
  const wish = wishOf(caller, containerId)
  const { organizationId } = caller
  const candidates = await listCandidates(db, organizationId, askedBy(wish))
  // One number alone is the same choice with a group and without.
  const group = candidates.length > 1 ? await findGroup(db, organizationId) : noGroup
  const circumstances = group.enabled
    ? await learn(db, organizationId, group, candidates, { contacts, queue })
    : nothingKnown
  const choose = senderChooser(candidates, wish, group, circumstances)
  return contacts.map((contact) => {
    const choice = choose(contact)
    if (choice.is === 'chosen') return { containerId: choice.number.id, pinned: choice.pinned }
    if (choice.is === 'unknown') throw noSuchNumber()
    if (candidates.length === 0) throw noNumberYet()
    const which = askedBy(wish) === null ? 'No number of the organization is connected' : 'The number is not connected'
    throw apiError('NO_SESSION_CONFIGURED', `${which}. GET /session/status says what to do.`)
  })
}

/** What the group's choice for these contacts depends on, and no more than that: a choice is made for every send. */
async function learn(
  db: Db,
  organizationId: string,
  group: SendGroup,
  candidates: readonly Candidate[],
  { contacts, queue }: { readonly contacts: readonly string[]; readonly queue: Queue },
): Promise<Circumstances> {
  const able = ableOf(candidates)
  if (group.mode === 'backup' && able.some((candidate) => candidate.isDefault)) return nothingKnown
  const members = group.containerIds.filter((id) => able.some((candidate) => candidate.id === id))
  const last = group.sticky ? await lastNumbersOf(db, organizationId, contacts) : nothingKnown.last
  const allKept = contacts.every((contact) => members.includes(last.get(contact) ?? ''))
  const turnsTaken = queue === 'texts' ? turnsOf : campaignTurnsOf
  const turns = group.mode === 'share' && !allKept ? await turnsTaken(db, organizationId, members) : nothingKnown.turns
  return { last, turns }
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
