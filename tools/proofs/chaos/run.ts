import { setTimeout as wait } from 'node:timers/promises'
import { formatCursor } from '../../../packages/server/src/events/cursor.ts'
import { rows } from '../../../packages/server/src/platform/db/db.ts'
import { idOf } from '../../../packages/server/src/testing/features/receiver.ts'
import { sim } from '../../../packages/server/src/testing/sim.ts'
import { callApi, insistently, operate } from './ask.ts'
import { type ChaosEnvironment, type ChaosNetwork, makeEnvironment } from './environment.ts'
import { type Healing, heal, injectAll } from './inject.ts'
import { openLedger } from './ledger.ts'
import type { Part } from './part.ts'
import { makePlan, type PartName, type Round, type Size } from './plan.ts'
import { faultsIn } from './report.ts'
import { faultsHeard, logOf, startTail } from './tail.ts'
import { type Workload, work } from './work.ts'

export interface Options {
  readonly seed: number
  readonly size: Size
  /** Default: the simulator. */
  readonly network?: ChaosNetwork
  /** How soon after a fault every part has to be ready. */
  readonly healthyWithinMs: number
  /** Called after each round. */
  readonly onRound?: (round: number) => void
}

/** What a run came to. */
export interface ChaosOutcome {
  /** What broke, in sentences; none when nothing did. */
  readonly faults: readonly string[]
  /** Crash points at which a process died. */
  readonly reached: readonly string[]
  /** Crash points of the plan at which none did. */
  readonly missed: readonly string[]
  readonly figures: Readonly<Record<string, number>>
  /** The longest time until all were ready again, in a sentence. */
  readonly slowest: string
  /** How often errors of each kind were logged. */
  readonly errors: ReadonlyMap<string, number>
}

/** Every second the service's clock moves on by ten more: paced messages leave at eleven times their speed. */
const tick = { everyMs: 1000, seconds: 10 }
/** Rounds after the planned ones in which crash points still get their chance. */
const mostExtraRounds = 30

/** Runs the work and the faults of all rounds, waits until everything has settled, and checks the result. */
export async function run({
  seed,
  size,
  network = 'simulator',
  healthyWithinMs,
  onRound,
}: Options): Promise<ChaosOutcome> {
  const began = performance.now()
  const environment = await makeEnvironment(size.parts, network)
  const host: Workload = { environment, ledger: openLedger(), seed }
  const healing: Healing = { longestMs: 0, slowest: '', complaints: [] }
  await heal(environment, [], Number.POSITIVE_INFINITY, { ...healing })
  const known = await prepare(environment)
  const tail = startTail(environment, known.at(-1) ?? formatCursor(0))
  const clock = startTicking(environment)
  const plan = makePlan(seed, size)

  async function play(round: number, faults: Round): Promise<void> {
    const worked = work(host, round, size)
    // It is awaited below; until then a failure must not end the process.
    worked.catch(() => undefined)
    await injectAll(environment, faults)
    await heal(environment, faults, healthyWithinMs, healing)
    await worked
    onRound?.(round)
  }

  for (const [round, faults] of plan.entries()) await play(round, faults)
  let extra = 0
  for (; armedParts(environment).length > 0 && extra < mostExtraRounds; extra++) {
    const part = spare(environment)
    await play(plan.length + extra, [{ afterMs: 200, fault: { kind: 'kill', part, successor: null } }])
  }
  const missed = environment.parts.flatMap((part) => part.armed().map(({ point }) => point))
  await clock.stop()
  const workedMs = performance.now() - began
  await settle(host)
  const log = await logOf(environment)
  const reported = log.slice(known.length)
  // A periodic job may have had something to say after the last look.
  await catchUp(() => {
    const received = new Set(environment.receiver.received.map(idOf))
    return tail.seen.length >= reported.length && reported.every((id) => received.has(id))
  })
  await tail.stop()
  const faults = [
    ...(environment.waha?.violations.slice(0, 20) ?? []),
    ...environment.watch.complaints,
    ...healing.complaints,
    ...(await faultsIn(host)),
    ...faultsHeard(log, known.length, tail, environment.receiver),
  ]
  return {
    faults,
    reached: [...environment.watch.reached],
    missed,
    errors: environment.watch.errors,
    slowest: healing.slowest,
    figures: {
      rounds: plan.length + extra,
      workedSeconds: Math.round(workedMs / 1000),
      seconds: Math.round((performance.now() - began) / 1000),
      ...(await figuresOf(environment)),
      starts: environment.parts.reduce((sum, part) => sum + part.starts(), 0),
      events: log.length - known.length,
      posts: environment.receiver.received.length,
      tailBreaks: tail.breaks(),
      longestUntilReadyMs: healing.longestMs,
    },
  }
}

/** Sets the address of webhooks. Returns the ids of the events that there were by then. */
async function prepare(ground: ChaosEnvironment): Promise<string[]> {
  const port = Number(new URL(ground.receiver.url).port)
  const through = await ground.links['worker-receiver'].route(() => ({ port }))
  const webhookUrl = `http://127.0.0.1:${through}/hook`
  await callApi(ground, 'setting the webhook', (client) => client.webhook.set({ webhookUrl }))
  return logOf(ground)
}

function startTicking(ground: ChaosEnvironment): { stop(): Promise<void> } {
  let isOver = false
  async function go(): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const address = ground.addresses[n % ground.addresses.length] as string
      // A tick that fails is left out.
      await sim({ address }, 'POST clock/advance', { seconds: tick.seconds }).catch(() => undefined)
      await wait(tick.everyMs)
    }
  }
  const ticking = go()
  return {
    async stop() {
      isOver = true
      await ticking
    },
  }
}

function armedParts({ parts }: ChaosEnvironment): readonly Part[] {
  return parts.filter((part) => part.armed().length > 0)
}

/** A process that does not have to die any more: what it drops makes work for those that have. */
function spare({ parts }: ChaosEnvironment): PartName {
  const workers = parts.filter(({ name }) => name.startsWith('worker'))
  return [...workers, ...parts].find((part) => part.armed().length === 0)?.name ?? 'worker 1'
}

/** A run has broken something when nothing has left what is on its way for this long. */
const stuckAfterMs = 60_000
const settleEveryMs = 250
/** Paced messages leave in steps that their leases outlast; an unknown outcome is settled after ten minutes. */
const steps = { paced: 5, unknown: 60 }

/** Lets service time pass, so that leases end and retries come due, until nothing is on its way any more. */
async function settle({ environment, ledger }: Workload): Promise<void> {
  let isAnswered = false
  const answered = ledger.done().then(() => {
    isAnswered = true
  })
  // A second look, a step later, finds what a periodic job had to say.
  let wasSettled = false
  let least = Number.POSITIVE_INFINITY
  let movedAt = performance.now()
  for (;;) {
    const left = await insistently('counting what is left', () => unsettled(environment))
    const total = Object.values(left).reduce((sum, count) => sum + count, 0)
    if (total === 0 && isAnswered && wasSettled) break
    wasSettled = total === 0
    if (total < least) {
      least = total
      movedAt = performance.now()
    }
    if (performance.now() > movedAt + stuckAfterMs) {
      throw new Error(`the service does not settle: ${JSON.stringify(left)} are left`)
    }
    const seconds = left.queued + left.unreported + left.campaigns === 0 ? steps.unknown : steps.paced
    await operate(environment, 'POST clock/advance', { seconds })
    await wait(settleEveryMs)
  }
  await answered
}

const kindsLeft = [
  'reports',
  'queued',
  'sending',
  'unreported',
  'deliveries',
  'numbers',
  'campaigns',
  'reminders',
] as const

async function unsettled({ db, waha }: ChaosEnvironment) {
  const [left] = await rows<Record<(typeof kindsLeft)[number], number>>(
    db,
    `select (select count(*) from messages where status = 'queued'
              or (status = 'sending' and lease_token is not null)) as queued,
            (select count(*) from messages where status = 'sending' and lease_token is null) as sending,
            (select count(*) from gateway_inbox) as reports,
            (select count(*) from sim_events) as unreported,
            (select count(*) from webhook_deliveries where status = 'pending') as deliveries,
            (select count(*) from numbers where status <> 'WORKING') as numbers,
            (select count(*) from campaigns where status <> 'completed') as campaigns,
            (select count(*) from reminders where status in ('scheduled', 'processing')) as reminders`,
  )
  if (!left) throw new Error('a query without a table returns one row')
  // Webhooks that are on their way are still unreported.
  return { ...left, unreported: left.unreported + (waha?.webhooks.pending() ?? 0) }
}

const caughtUpWithinMs = 20_000

/** Waits until everything of the log has arrived, or some seconds: what is missing then is a fault. */
async function catchUp(isThere: () => boolean): Promise<void> {
  for (const until = performance.now() + caughtUpWithinMs; !isThere() && performance.now() < until; ) {
    await wait(settleEveryMs)
  }
}

async function figuresOf({ db }: ChaosEnvironment): Promise<Record<string, number>> {
  const [figures] = await rows<Record<string, number>>(
    db,
    `select (select count(*) from messages) as messages,
            (select count(*) from sim_messages where direction = 'in') as inbound,
            (select count(*) from messages where attempts > 1) as repeated,
            (select max(attempts) from messages) as most_attempts`,
  )
  return figures ?? {}
}
