import { applyGuard, type GuardedMessage, type GuardedNumber, type Verdict } from '#numbers/guard/guard.ts'
import {
  findAnyHour,
  findGuards,
  findRelations,
  findReservations,
  type GuardRow,
  type GuardSend,
  type Hold,
  insertSends,
  lockWaiting,
  writeHolds,
} from '#numbers/guard/guard-store.ts'
import { isGuarded, toNumber } from '#numbers/guard/guarded-number.ts'
import { countryOf, quietUntil } from '#numbers/guard/quiet-hours.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import type { ClaimedMessage, DueLane } from './queue-store.ts'

/** Messages of one number that a claim judges beyond those it claimed, once one of them is held. */
const judgedAhead = 500

/** What a claim needs for the guard rules. */
export interface GuardServices {
  readonly config: Pick<Services['config'], 'guard'>
  readonly metrics: Pick<Services['metrics'], 'messageHeld'>
}

type Judged = Pick<ClaimedMessage, 'id' | 'organizationId' | 'containerId' | 'recipient' | 'campaignId'> & {
  readonly urgent: boolean
  readonly anyHour: boolean
}

/**
 * Applies the guard rules to the messages of a claim, in its transaction, and returns those that may leave. The others
 * return to the queue with the time and the rule that holds them. Once one is held, further messages of its queue are
 * judged too, so that a long campaign is not claimed one by one.
 */
export async function guardClaim(
  trx: Db,
  services: GuardServices,
  now: Date,
  lanes: readonly DueLane[],
  messages: readonly ClaimedMessage[],
): Promise<ClaimedMessage[]> {
  const guarded = new Set(
    lanes.filter((lane) => isGuarded(services.config.guard, lane.guarded)).map(({ containerId }) => containerId),
  )
  const judged = messages.filter(({ containerId }) => guarded.has(containerId))
  if (judged.length === 0) return [...messages]
  const guards = await findGuards(trx, [...new Set(judged.map(({ containerId }) => containerId))])
  const candidates = await toCandidates(trx, judged)
  const held = new Set<string>()
  const sends: GuardSend[] = []
  const holds: Hold[] = []
  for (const guard of guards) {
    const own = candidates.filter(({ message }) => message.containerId === guard.containerId)
    const verdicts = await judge(trx, services, now, guard, own)
    for (const verdict of verdicts) {
      if (verdict.rule !== null) {
        held.add(verdict.id)
        holds.push(verdict)
        continue
      }
      const message = judged.find(({ id }) => id === verdict.id)
      // A message that is claimed again was counted before.
      if (message && verdict.counts && message.attempts === 1) sends.push({ ...message, opens: verdict.opens })
    }
  }
  await writeHolds(trx, holds)
  await insertSends(trx, sends, now)
  for (const { rule } of holds) services.metrics.messageHeld(rule)
  return messages.filter(({ id }) => !held.has(id))
}

interface Candidate {
  readonly message: Judged
  readonly guarded: GuardedMessage
}

/** Judges the claimed messages of one number, and more of the queues in which one of them is held. */
async function judge(
  trx: Db,
  { config }: GuardServices,
  now: Date,
  row: GuardRow,
  claimed: readonly Candidate[],
): Promise<Verdict[]> {
  const number = toNumber(row)
  // Texts come before campaigns: what is left of an hour is theirs.
  const texts = claimed.filter(({ message }) => message.campaignId === null)
  const campaigns = claimed.filter(({ message }) => message.campaignId !== null)
  const verdicts = applyGuard(config.guard.rules, number, toGuarded([...texts, ...campaigns]), now)
  const held = new Set(verdicts.filter(({ rule }) => rule !== null).map(({ id }) => id))
  if (held.size === 0) return verdicts
  const passed = verdicts.filter(({ rule }) => rule === null)
  const isOpened = (id: string) => passed.some((verdict) => verdict.id === id && verdict.opens)
  const used = afterSends(number, passed, now)
  const opened = new Set(claimed.filter(({ message }) => isOpened(message.id)).map(({ message }) => message.recipient))
  const result = [...passed]
  for (const [queue, own] of [
    ['texts', texts],
    ['campaigns', campaigns],
  ] as const) {
    const again = own.filter(({ message }) => held.has(message.id))
    const [first] = again
    if (!first) continue
    const waiting = await lockWaiting(trx, row.containerId, queue, judgedAhead)
    const ahead = await toCandidates(
      trx,
      waiting.map((message) => ({ ...message, urgent: false })),
    )
    const reserved = await findReservations(trx, first.message, queue)
    const planned = { ...used, usage: [...used.usage, ...reserved] }
    const judged = applyGuard(config.guard.rules, planned, toGuarded([...again, ...ahead], opened), now)
    const claimedIds = new Set(again.map(({ message }) => message.id))
    // What passes further ahead stays in the queue, and is claimed at its pace.
    result.push(...judged.filter(({ id, rule }) => rule !== null || claimedIds.has(id)))
  }
  return result
}

async function toCandidates(
  trx: Db,
  messages: readonly (Omit<Judged, 'urgent' | 'anyHour'> &
    Partial<Pick<Judged, 'urgent' | 'anyHour'>> &
    Partial<Pick<ClaimedMessage, 'priority'>>)[],
): Promise<Candidate[]> {
  const relations = await findRelations(trx, messages)
  const unknown = messages.filter(({ anyHour }) => anyHour === undefined)
  const campaignIds = new Set(unknown.flatMap(({ campaignId }) => campaignId ?? []))
  const anyHours = new Set(await findAnyHour(trx, [...campaignIds]))
  return messages.map((message, n) => {
    const { id, recipient, campaignId } = message
    const anyHour = message.anyHour ?? anyHours.has(campaignId ?? '')
    const urgent = message.urgent ?? message.priority === 'high'
    const country = campaignId === null || anyHour ? null : countryOf(recipient)
    const guarded: GuardedMessage = {
      id,
      recipient,
      relation: relations[n] ?? 'new',
      urgent,
      campaign: campaignId !== null,
      quietUntil: country === null ? null : (at) => quietUntil(country, at),
      nights: country ?? '',
    }
    return { message: { ...message, urgent, anyHour }, guarded }
  })
}

/** Returns what the rules judge. A conversation that an earlier message of this claim opens is known to the others. */
function toGuarded(candidates: readonly Candidate[], opened: ReadonlySet<string> = new Set()): GuardedMessage[] {
  return candidates.map(({ guarded }) =>
    guarded.relation === 'new' && opened.has(guarded.recipient) ? { ...guarded, relation: 'known' } : guarded,
  )
}

/** Returns a number after it has sent what passed. */
function afterSends(number: GuardedNumber, passed: readonly Verdict[], now: Date): GuardedNumber {
  const counted = passed.filter(({ counts }) => counts)
  const conversations = counted.filter(({ opens }) => opens).length
  const sent = { slotMs: now.getTime(), messages: counted.length, conversations }
  const { network } = number
  return {
    ...number,
    network: network && { ...network, left: network.left - conversations },
    usage: [...number.usage, sent],
  }
}
