import type { GatewaySession } from '@msgctl/network/gateway'
import { startTimeLimit } from '@msgctl/network/timeout'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { type CheckPurpose, takeChecks } from './check-budget.ts'
import { canQuery, type LookupRun, queryNetwork, startLookup } from './check-network.ts'
import { findChecks, type KnownCheck, saveChecks } from './check-store.ts'

/** What a check works with. */
export type CheckServices = Pick<Services, 'db' | 'gateway' | 'clock' | 'log' | 'config'>

/** How recipients are checked. */
export interface CheckOptions {
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
  readonly purpose: CheckPurpose
  /** The time limit in milliseconds (default: 25 s). */
  readonly withinMs?: number
}

/** The results of checks. Recipients that are missing could not be checked. */
export interface Checked {
  readonly checks: ReadonlyMap<string, KnownCheck>
  /** When a check of the others may succeed, if that is known. */
  readonly retryAfterMs: number | undefined
}

const longestMs = 25_000

/** Recipients that are checked between two database queries. */
const chunk = 250

/**
 * Checks which recipients (digits, or ids ending in @lid) are on the network: from stored checks, else through the
 * number, as far as its budget, the time limit and the network allow. Ids ending in @lid come from the network and need
 * no check. Results are stored, also when the caller disconnects.
 */
export async function checkRecipients(
  services: CheckServices,
  session: GatewaySession,
  recipients: readonly string[],
  options: CheckOptions,
): Promise<Checked> {
  const withinMs = options.withinMs ?? longestMs
  const hidden = recipients.filter(isHiddenId).map(selfEvidentChecks)
  const numbers = [...new Set(recipients.filter((recipient) => !isHiddenId(recipient)))]
  const known = await findChecks(services.db, session.organizationId, numbers)
  const checks = new Map([...hidden, ...known].map((check) => [check.digits, check]))
  const unknown = numbers.filter((digits) => !checks.has(digits))
  if (unknown.length === 0) return { checks, retryAfterMs: undefined }
  const time = startTimeLimit(withinMs, options.signal)
  const asking = startLookup(services, session, time.signal)
  try {
    for (const check of await queryAll(services, asking, unknown, options.purpose)) checks.set(check.digits, check)
  } finally {
    time.end()
  }
  return { checks, retryAfterMs: asking.stopped?.retryAfterMs }
}

async function queryAll(
  services: CheckServices,
  run: LookupRun,
  numbers: readonly string[],
  purpose: CheckPurpose,
): Promise<KnownCheck[]> {
  const all: KnownCheck[] = []
  for (let from = 0; from < numbers.length && canQuery(run); from += chunk) {
    const wanted = numbers.slice(from, from + chunk)
    const { granted, retryAfterMs, validHours } = await takeChecks(services, run.session, purpose, {
      now: wanted.length,
      inAll: numbers.length - from,
    })
    const found = await queryNetwork(run, wanted.slice(0, granted))
    if (found.length > 0) await saveChecks(services.db, run.session.organizationId, found, validHours)
    all.push(...found)
    if (granted < wanted.length) run.stopped ??= { retryAfterMs }
  }
  return all
}

/** Whether a recipient is an id of the network's own and not a number. */
function isHiddenId(recipient: string): boolean {
  return recipient.endsWith('@lid')
}

function selfEvidentChecks(lid: string): KnownCheck {
  return { digits: lid, onNetwork: true, chatId: lid, lid }
}

/**
 * Makes sure that one recipient is on the network: by what is `known` of it, else by asking. Throws
 * NUMBER_NOT_ON_NETWORK, and NUMBER_VALIDATION_UNAVAILABLE when the check failed.
 */
export async function requireOnNetwork(
  services: CheckServices,
  session: GatewaySession,
  recipient: string,
  { known, signal }: { readonly known: KnownCheck | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const check = known ?? (await checkOne(services, session, recipient, signal))
  if (!check.onNetwork) {
    throw apiError('NUMBER_NOT_ON_NETWORK', 'The recipient is not on the network. Check the number.')
  }
}

async function checkOne(services: CheckServices, session: GatewaySession, recipient: string, signal: AbortSignal) {
  const checked = await checkRecipients(services, session, [recipient], { signal, purpose: 'send' })
  const check = checked.checks.get(recipient)
  if (!check) throw checkUnavailable(checked.retryAfterMs)
  return check
}

/** How long a caller waits where the network names no time. */
const usualRetryMs = 5000

/**
 * Returns the error NUMBER_VALIDATION_UNAVAILABLE with the time to wait, and the numbers of a list that could not be
 * checked.
 */
export function checkUnavailable(retryAfterMs = usualRetryMs, notChecked?: readonly string[]) {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return apiError(
    'NUMBER_VALIDATION_UNAVAILABLE',
    `The network cannot check every number right now. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds, ...(notChecked && { notChecked: [...notChecked] }) },
  )
}
