import { Agent } from 'node:http'
import { anyCredentials, type Baseline, goodCredentials, type Resident } from './baseline.ts'
import { changes } from './changes.ts'
import type { Json, Operation } from './document.ts'
import { follow, harvest } from './known-ids.ts'
import type { Oracle } from './oracle.ts'
import { type Random, randomOf } from './random.ts'
import { buildRequest, type RequestDraft } from './request-builder.ts'
import { smallest } from './smallest.ts'
import { asCurl, type Received, type Sent, send, toSent } from './wire.ts'

/** A request whose answer was wrong. */
interface Failure {
  readonly operationId: string
  /** Everything to see it again: seed, number, changes, the request as curl, the answer, what is wrong with it. */
  readonly report: string
}

/** How often an operation answered what. */
export interface Tally {
  readonly statuses: Map<number, number>
  readonly codes: Map<string, number>
}

export interface FuzzOutcome {
  readonly requests: number
  readonly failures: readonly Failure[]
  readonly tallies: ReadonlyMap<string, Tally>
  /** How often each kind of change was made. */
  readonly changes: ReadonlyMap<string, number>
  /** Requests in which nothing was changed and that were refused for their form, as reports. */
  readonly refusedGood: readonly Failure[]
}

export interface RunOptions {
  readonly baseline: Baseline
  readonly operations: readonly Operation[]
  readonly oracle: Oracle
  readonly seed: number
  readonly requests: number
  /** After this time it stops, however many requests are left, but not before each operation had its turn. */
  readonly withinMs: number
  /** Where requests go instead of to the service itself: the base URL of something that passes them on. */
  readonly through?: string
  /** Good requests of those who may make them, and no others. */
  readonly onlyGood?: boolean
}

const enoughFailures = 25
const requestsBetweenPasses = 25
const refusedForForm = /"code":"(?:VALIDATION_ERROR|INVALID_JSON|INVALID_ID|ROUTE_NOT_FOUND|PAYLOAD_TOO_LARGE)"/

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** A good request, changed in none, one or two ways. */
function changedDraft(operation: Operation, resident: Resident, ground: Baseline, random: Random): RequestDraft {
  const making = { operationId: operation.id, random, pools: resident.ids }
  const draft = buildRequest(operation, making, anyCredentials(operation, resident, random))
  const wanted = random.pick([0, 0, 1, 1, 2])
  for (let tries = 0; draft.changes.length < wanted && tries < 8; tries++) {
    const [name, change] = random.pick(Object.entries(changes))
    if (change(draft, { random, strangers: ground.strangers })) draft.changes.push(name)
  }
  return draft
}

/** A response reveals something of another organization that the request did not name. */
function leaks(secrets: readonly string[], sent: Sent, { text }: Received): string[] {
  const asked = `${sent.url}${sent.body?.toString() ?? ''}`
  const leaked = secrets.filter((secret) => text.includes(secret) && !asked.includes(secret))
  return leaked.length > 0 ? ["the answer holds another organization's ids"] : []
}

function reportOf(seed: number, index: number, draft: RequestDraft, sent: Sent, faults: string[], received?: Received) {
  const answer = received ? `${received.status} ${received.text.slice(0, 1500)}` : 'none'
  const what = draft.changes.length > 0 ? draft.changes.join(', ') : 'nothing is changed'
  return [
    `${draft.operation.id}, request ${index} of seed ${seed} (${what})`,
    `  ${asCurl(sent).slice(0, 30_000)}`,
    `  answer: ${answer}`,
    ...faults.map((fault) => `  wrong: ${fault}`),
  ].join('\n')
}

/**
 * Sends the requests one after the other, and judges every answer. Stops early after many failures, and when its time
 * is up.
 */
export async function run(options: RunOptions): Promise<FuzzOutcome> {
  const { baseline, operations, oracle, seed, requests, withinMs, onlyGood = false } = options
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const failures: Failure[] = []
  const tallies = new Map(operations.map(({ id }) => [id, { statuses: new Map(), codes: new Map() }]))
  const changed = new Map<string, number>()
  const refusedGood: Failure[] = []

  const baseUrl = options.through ?? baseline.server.baseUrl
  const judge = (draft: RequestDraft, sent: Sent, received: Received) => [
    ...oracle.faults(draft, sent, received),
    ...leaks(baseline.secrets, sent, received),
  ]

  async function one(index: number): Promise<void> {
    const random = randomOf(seed, index)
    const operation = operations[index % operations.length] as Operation
    const resident = await baseline.resident(operation)
    const draft = onlyGood
      ? buildRequest(
          operation,
          { operationId: operation.id, random, pools: resident.ids },
          goodCredentials(operation, resident),
        )
      : changedDraft(operation, resident, baseline, random)
    for (const name of draft.changes) increment(changed, name)
    const sent = toSent(baseUrl, draft)
    let received: Received | undefined
    let faults: string[]
    try {
      received = await send(agent, sent)
      faults = judge(draft, sent, received)
      tally(tallies.get(operation.id), received)
      if (draft.changes.length === 0 && received.status >= 400 && refusedForForm.test(received.text)) {
        refusedGood.push({ operationId: operation.id, report: reportOf(seed, index, draft, sent, [], received) })
      }
      if (received.status < 300) await learn(baseline, resident, draft, sent, received.text)
    } catch (error) {
      faults = [String(error)]
    }
    if (faults.length > 0) {
      const report = reportOf(seed, index, draft, sent, faults, received)
      const small = toSent(baseUrl, await smallest(draft, (smaller) => hasFault(smaller, faults)))
      failures.push({ operationId: operation.id, report: `${report}\n  smallest: ${asCurl(small).slice(0, 30_000)}` })
    }
  }

  /** Whether a smaller request has one of the faults, too. */
  async function hasFault(smaller: RequestDraft, faults: readonly string[]): Promise<boolean> {
    const sent = toSent(baseUrl, smaller)
    const found = await send(agent, sent).then(
      (received) => judge(smaller, sent, received),
      (error: unknown) => [String(error)],
    )
    return found.some((fault) => faults.includes(fault))
  }

  let done = 0
  const until = performance.now() + withinMs
  const hasTime = () => performance.now() < until || done <= operations.length
  for (; done < requests && failures.length < enoughFailures && hasTime(); done++) {
    if (done % requestsBetweenPasses === 0) await baseline.pass()
    await one(done)
  }
  agent.destroy()
  return { requests: done, failures, tallies, changes: changed, refusedGood }
}

function tally(counts: Tally | undefined, { status, text }: Received): void {
  if (!counts) return
  increment(counts.statuses, status)
  const code = text.match(/"code":"([A-Z_]+)"/)?.[1]
  if (status >= 400 && code) increment(counts.codes, code)
}

/** Remembers what a request that succeeded has made, changed and removed. */
async function learn(
  ground: Baseline,
  resident: Resident,
  { operation, params }: RequestDraft,
  sent: Sent,
  text: string,
) {
  const answer = json(text)
  const { ids } = resident
  harvest(ids, operation.id, answer)
  if (operation.id === 'auth.signUp') ids.add('email', json(String(sent.body)).email)
  // The last id of a path is the thing itself; those before it are what it belongs to, and stay.
  const id = [...params.values()].at(-1)
  if (id !== undefined) follow(ids, operation.id, decodeURIComponent(id))
  await ground.follow(resident, operation, answer)
}

/** What a text says as JSON; nothing when it is none, as that of a stream. */
function json(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
