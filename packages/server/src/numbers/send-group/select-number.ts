import type { NumberStatus } from '@msgctl/contract'
import { findNumber, type NumberRow } from '#numbers/records/store.ts'
import { yielding } from '#platform/concurrency/yielding.ts'
import type { Db } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { listCandidates } from './candidate-store.ts'
import { emptyContext, groupSelector, noGroup, type SelectionContext, type SendGroup } from './send-group-rules.ts'
import { findCampaignQueueLoad, findGroup, findLastNumbers, findQueueLoad } from './send-group-store.ts'

/** A number with the properties that decide whether it is selected. */
export interface NumberCandidate {
  readonly id: string
  readonly isDefault: boolean
  readonly status: NumberStatus
  /** Its queue waits for a person's decision, because another phone was linked. */
  readonly held: boolean
}

/** The number a caller is bound to or asks for. */
export interface NumberSelector {
  /** The number of a per-number key; it wins over everything. */
  readonly ownContainerId: string | null
  readonly containerId: string | null
}

/** What became of a choice: a number, an id that is not among the candidates, or nothing to choose from. */
export type NumberSelection<C extends NumberCandidate> =
  | { readonly is: 'chosen'; readonly number: C; readonly pinned: boolean }
  | { readonly is: 'unknown' }
  | { readonly is: 'none' }

/**
 * Which number sends to each contact go through (specification, "Conventions"): a number's key always its own, else the
 * one asked for; both are pinned and must work. Else what the send group says, else the default while it works, else
 * any that works, the oldest first. One that works and whose queue is held is the last resort.
 */
export function senderSelector<C extends NumberCandidate>(
  candidates: readonly C[],
  selector: NumberSelector,
  group: SendGroup,
  context: SelectionContext,
): (contact: string) => NumberSelection<C> {
  const requested = requestedId(selector)
  if (requested !== null) {
    const choice = selectPinned(candidates, requested)
    return () => choice
  }
  const usable = usableNumbers(candidates)
  const fromGroup = groupSelector(group, usable, context)
  return (contact) => {
    const number = fromGroup(contact) ?? usable.find((candidate) => candidate.isDefault) ?? usable[0]
    return number ? { is: 'chosen', number, pinned: false } : { is: 'none' }
  }
}

function selectPinned<C extends NumberCandidate>(candidates: readonly C[], requested: string): NumberSelection<C> {
  const number = candidates.find((candidate) => candidate.id === requested)
  if (!number) return { is: 'unknown' }
  return number.status === 'WORKING' ? { is: 'chosen', number, pinned: true } : { is: 'none' }
}

/** The numbers that can send, those with a held queue only where there is no other. */
function usableNumbers<C extends NumberCandidate>(candidates: readonly C[]): C[] {
  const working = candidates.filter((candidate) => candidate.status === 'WORKING')
  const free = working.filter((candidate) => !candidate.held)
  return free.length > 0 ? free : working
}

/** Which number a look or an operation is about: as for a send, but one that does not work will do too. */
export function selectAny<C extends NumberCandidate>(
  candidates: readonly C[],
  selector: NumberSelector,
): NumberSelection<C> {
  const requested = requestedId(selector)
  const number =
    requested === null
      ? (candidates.find((candidate) => candidate.isDefault) ?? candidates[0])
      : candidates.find((candidate) => candidate.id === requested)
  if (number) return { is: 'chosen', number, pinned: requested !== null }
  return { is: requested === null ? 'none' : 'unknown' }
}

interface NumberCaller {
  readonly organizationId: string
  readonly containerId: string | null
}

/** The number that a message goes through; a pinned one never moves to another number. */
export interface ChosenNumber {
  readonly containerId: string
  readonly pinned: boolean
}

/**
 * Returns the number for a direct send or a check to `contact`, digits or a hidden id; without one, the number for a
 * contact that was never written to. Throws NOT_FOUND for a containerId of another organization, NO_SESSION_CONFIGURED
 * when the number is not connected or there is none.
 */
export async function selectSender(
  db: Db,
  caller: NumberCaller,
  containerId: string | undefined,
  contact = '',
): Promise<ChosenNumber> {
  const [choice] = await selectNumbers(db, caller, containerId, [contact], 'texts')
  if (!choice) throw new Error('a choice for one contact has one result')
  return toChosen(choice)
}

/** The same for a text that is queued. Throws NO_SESSION_CONFIGURED also while the queue of the number is held. */
export async function selectQueue(
  db: Db,
  caller: NumberCaller,
  containerId: string | undefined,
  contact: string,
): Promise<ChosenNumber> {
  const candidates = await listCandidates(db, caller.organizationId, requestedIdOf(caller, containerId))
  return selectQueueAmong(db, caller, { containerId, contact, candidates })
}

/** The same for a text whose `candidates` were read before, with {@link requestedIdOf}. */
export async function selectQueueAmong(
  db: Db,
  caller: NumberCaller,
  {
    containerId,
    contact,
    candidates,
  }: {
    readonly containerId: string | undefined
    readonly contact: string
    readonly candidates: readonly NumberCandidate[]
  },
): Promise<ChosenNumber> {
  const wanted = { selector: toSelector(caller, containerId), candidates, contacts: [contact], queue: 'texts' } as const
  const [choice] = await selectAmong(db, caller.organizationId, wanted)
  if (!choice) throw new Error('a choice for one contact has one result')
  if (choice.number.held) throw queueIsHeld()
  return toChosen(choice)
}

/** The only number that a caller can mean: that of its own key, or the one it named; else null. */
export function requestedIdOf(caller: NumberCaller, containerId: string | undefined): string | null {
  return requestedId(toSelector(caller, containerId))
}

/** A queue of a number: every number has one for texts and one for campaigns. */
type Queue = 'texts' | 'campaigns'

/** The same for many contacts, in their order: share mode spreads them by the load of the queue that they join. */
export async function selectSenders(
  db: Db,
  caller: NumberCaller,
  containerId: string | undefined,
  contacts: readonly string[],
  queue: Queue = 'texts',
): Promise<ChosenNumber[]> {
  const choices = await selectNumbers(db, caller, containerId, contacts, queue)
  if (choices.some(({ number }) => number.held)) throw queueIsHeld()
  return choices.map(toChosen)
}

type Choice = NumberSelection<NumberCandidate> & { readonly is: 'chosen' }

async function selectNumbers(
  db: Db,
  caller: NumberCaller,
  containerId: string | undefined,
  contacts: readonly string[],
  queue: Queue,
): Promise<Choice[]> {
  const selector = toSelector(caller, containerId)
  const { organizationId } = caller
  const candidates = await listCandidates(db, organizationId, requestedId(selector))
  return selectAmong(db, organizationId, { selector, candidates, contacts, queue })
}

interface Wanted {
  readonly selector: NumberSelector
  readonly candidates: readonly NumberCandidate[]
  readonly contacts: readonly string[]
  readonly queue: Queue
}

async function selectAmong(
  db: Db,
  organizationId: string,
  { selector, candidates, contacts, queue }: Wanted,
): Promise<Choice[]> {
  // One number alone is the same choice with a group and without.
  const group = candidates.length > 1 ? await findGroup(db, organizationId) : noGroup
  const context = group.enabled
    ? await loadSelectionContext(db, organizationId, group, candidates, { contacts, queue })
    : emptyContext
  const choose = senderSelector(candidates, selector, group, context)
  const pause = yielding()
  const choices: Choice[] = []
  for (const contact of contacts) {
    choices.push(requireChosen(choose(contact), candidates, selector))
    await pause()
  }
  return choices
}

function requireChosen(
  choice: NumberSelection<NumberCandidate>,
  candidates: readonly NumberCandidate[],
  selector: NumberSelector,
): Choice {
  if (choice.is === 'chosen') return choice
  if (choice.is === 'unknown') throw numberNotFound()
  if (candidates.length === 0) throw noNumberConfigured()
  const which =
    requestedId(selector) === null ? 'No number of the organization is connected' : 'The number is not connected'
  throw apiError('NO_SESSION_CONFIGURED', `${which}. Its status says what to do.`)
}

/** What the group's choice for these contacts depends on, and no more than that: a choice is made for every send. */
async function loadSelectionContext(
  db: Db,
  organizationId: string,
  group: SendGroup,
  candidates: readonly NumberCandidate[],
  { contacts, queue }: { readonly contacts: readonly string[]; readonly queue: Queue },
): Promise<SelectionContext> {
  const usable = usableNumbers(candidates)
  if (group.mode === 'backup' && usable.some((candidate) => candidate.isDefault)) return emptyContext
  const members = group.containerIds.filter((id) => usable.some((candidate) => candidate.id === id))
  const lastNumbers = group.sticky ? await findLastNumbers(db, organizationId, contacts) : emptyContext.lastNumbers
  const allKept = contacts.every((contact) => members.includes(lastNumbers.get(contact) ?? ''))
  const turnsTaken = queue === 'texts' ? findQueueLoad : findCampaignQueueLoad
  const queueLoad =
    group.mode === 'share' && !allKept ? await turnsTaken(db, organizationId, members) : emptyContext.queueLoad
  return { lastNumbers, queueLoad }
}

/**
 * The number that a look or an operation of this caller is about. Throws NOT_FOUND for a containerId that is not the
 * organization's, NO_SESSION_CONFIGURED when there is none at all.
 */
export async function resolveNumber(db: Db, caller: NumberCaller, containerId: string | undefined): Promise<NumberRow> {
  const { organizationId } = caller
  const selector = toSelector(caller, containerId)
  const choice = selectAny(await listCandidates(db, organizationId, requestedId(selector)), selector)
  if (choice.is === 'none') throw noNumberConfigured()
  const number = choice.is === 'chosen' ? await findNumber(db, organizationId, choice.number.id) : undefined
  if (!number) throw numberNotFound()
  return number
}

function toChosen({ number, pinned }: Choice): ChosenNumber {
  return { containerId: number.id, pinned }
}

/** Returns the error for a text that would wait in a queue that only a release opens. */
export function queueIsHeld() {
  const reason = 'Another phone was linked to the number, or the service was restored from a backup'
  const message = `${reason}: what was queued before is held. New texts are refused until it is released`
  return apiError('NO_SESSION_CONFIGURED', `${message}: POST /session/:containerId/release.`)
}

function noNumberConfigured() {
  return apiError('NO_SESSION_CONFIGURED', 'The organization has no number yet. Add one and link it.')
}

/** The one wording for a number that is unknown or another organization's. */
export function numberNotFound() {
  return apiError('NOT_FOUND', 'There is no such number.')
}

function requestedId({ ownContainerId, containerId }: NumberSelector): string | null {
  return ownContainerId ?? containerId
}

function toSelector(caller: NumberCaller, containerId: string | undefined): NumberSelector {
  return { ownContainerId: caller.containerId, containerId: containerId ?? null }
}
