import { setTimeout as wait } from 'node:timers/promises'
import { operate } from './ask.ts'
import type { ChaosEnvironment } from './environment.ts'
import type { Part } from './part.ts'
import type { Fault, PartName, Round, Timed } from './plan.ts'
import { faultLine } from './plan.ts'

/** How long after a fault everything is well again. */
export interface Healing {
  /** The longest time until all were ready, in milliseconds. */
  longestMs: number
  /** When that was, and for whom everybody waited. */
  slowest: string
  readonly complaints: string[]
}

const pollIntervalMs = 100
/** After this the run fails: the service does not come back. */
const lostAfterMs = 120_000

/** Does everything of a round at its time; resolves when the last fault is over. */
export async function injectAll(ground: ChaosEnvironment, round: Round): Promise<void> {
  await Promise.all(round.map((timed) => inject(ground, timed)))
}

async function inject(ground: ChaosEnvironment, { afterMs, fault }: Timed): Promise<void> {
  await wait(afterMs)
  switch (fault.kind) {
    case 'kill':
      return partOf(ground, fault.part).kill(fault.successor)
    case 'freeze':
      return partOf(ground, fault.part).freeze(fault.forMs)
    case 'restart':
      return ground.postgres.restart()
    case 'jump':
      return void (await operate(ground, 'POST clock/advance', { seconds: fault.seconds }))
    case 'drop':
      return drop(ground, fault)
    case 'reset':
      return ground.links[fault.link].reset()
    case 'latency': {
      const link = ground.links[fault.link]
      link.slow(fault.delayMs)
      await wait(fault.forMs)
      return link.slow(0)
    }
    case 'cut': {
      const link = ground.links[fault.link]
      link.cut()
      await wait(fault.forMs)
      return link.repair()
    }
  }
}

function partOf({ parts }: ChaosEnvironment, name: PartName): Part {
  return parts.find((part) => part.name === name) as Part
}

async function drop(ground: ChaosEnvironment, { number, seconds }: Fault & { readonly kind: 'drop' }): Promise<void> {
  const path = `POST numbers/${ground.numbers[number]}/drop`
  // A number that is down already has no line to cut.
  await operate(ground, path, { seconds }).catch((error: unknown) => {
    if (!String(error).includes('SESSION_NOT_CONNECTED')) throw error
  })
}

/** Waits until every part is ready after the faults of a round, and complains when that takes longer than `limitMs`. */
export async function heal(ground: ChaosEnvironment, round: Round, limitMs: number, healing: Healing): Promise<void> {
  let since = performance.now()
  let starts = startsOf(ground)
  let last: readonly PartName[] = []
  for (;;) {
    const ill = await notReady(ground)
    // A part that has died at its crash point since then is a fault of its own.
    if (startsOf(ground) !== starts) {
      starts = startsOf(ground)
      since = performance.now()
    } else if (ill.length === 0) break
    if (ill.length > 0) last = ill
    const passedMs = performance.now() - since
    if (passedMs > lostAfterMs) throw new Error(`${ill.join(', ')} did not come back after ${describeRound(round)}`)
    await wait(pollIntervalMs)
  }
  const tookMs = Math.round(performance.now() - since)
  const sentence =
    `it took ${tookMs} ms until all were ready after ${describeRound(round)}; ` + `the last was ${last.join(', ')}`
  if (tookMs > healing.longestMs) Object.assign(healing, { longestMs: tookMs, slowest: sentence })
  if (tookMs > limitMs) healing.complaints.push(sentence)
}

function describeRound(round: Round): string {
  return round.map(({ fault }) => faultLine(fault)).join('; ')
}

function startsOf({ parts }: ChaosEnvironment): number {
  return parts.reduce((sum, part) => sum + part.starts(), 0)
}

async function notReady({ parts }: ChaosEnvironment): Promise<PartName[]> {
  const checks = parts.map(async (part) => ((await part.isReady()) ? [] : [part.name]))
  return (await Promise.all(checks)).flat()
}
