import { type Crash, type CrashPoint, crashPoints } from '../../../packages/server/src/platform/crash-points.ts'
import { type Random, randomOf } from '../fuzz/random.ts'

/** The processes of the service, by name. */
export const parts = ['api 1', 'api 2', 'worker 1', 'worker 2'] as const
export type PartName = (typeof parts)[number]

/** The networks between every two parts. */
export const links = ['client-api', 'api-postgres', 'worker-postgres', 'worker-receiver'] as const
export type LinkName = (typeof links)[number]

/** What is done to the service; the numbers of a drop are counted from 0. */
export type Fault =
  | { readonly kind: 'kill'; readonly part: PartName; readonly successor: Crash | null }
  | { readonly kind: 'freeze'; readonly part: PartName; readonly forMs: number }
  | { readonly kind: 'restart' }
  | { readonly kind: 'latency'; readonly link: LinkName; readonly delayMs: number; readonly forMs: number }
  | { readonly kind: 'reset'; readonly link: LinkName }
  | { readonly kind: 'cut'; readonly link: LinkName; readonly forMs: number }
  | { readonly kind: 'jump'; readonly seconds: number }
  | { readonly kind: 'drop'; readonly number: number; readonly seconds: number }

/** A fault and how long after the beginning of its round it comes. */
export interface Timed {
  readonly afterMs: number
  readonly fault: Fault
}

/** Some work for the service, and the faults during it. */
export type Round = readonly Timed[]

/** How much there is of everything. */
export interface Size {
  readonly parts: readonly PartName[]
  readonly rounds: number
  readonly kills: number
  /** No other faults: the network behind the service must not lose its own database. */
  readonly killsOnly?: true
  /** Texts of the batch of each round. */
  readonly batch: number
  /** Texts sent one by one in each round. */
  readonly singles: number
  /** People of the campaign of each round, those who write, and those who get a reminder or a code. */
  readonly campaign: number
  readonly inbound: number
  readonly reminders: number
  readonly codes: number
}

/** What `npm run proof -- chaos` does: 200 messages, two kills and another fault in each of 100 rounds. */
export function fullSize(rounds: number): Size {
  const people = { batch: 120, singles: 25, campaign: 15, inbound: 28, reminders: 5, codes: 4 }
  return { parts, rounds, kills: 2 * rounds, ...people }
}

/** What `npm run proof -- chaos --gateway waha` does: 100 messages and two kills in each of 50 rounds. */
export function wahaSize(rounds: number): Size {
  const people = { batch: 52, singles: 14, campaign: 15, inbound: 12, reminders: 3, codes: 2 }
  return { parts, rounds, kills: 2 * rounds, killsOnly: true, ...people }
}

const fewPeople = { batch: 20, singles: 8, campaign: 6, inbound: 6, reminders: 2, codes: 2 }

/** What `npm test` does: every kind of fault, some of the crash points. */
export const shortSize: Size = { parts: ['api 1', 'worker 1', 'worker 2'], rounds: 4, kills: 2, ...fewPeople }

/** How many numbers the organization has. */
export const numberCount = 10

const drop = (random: Random): Fault => ({
  kind: 'drop',
  number: random.below(numberCount),
  seconds: 30 + random.below(90),
})

/** Every kind of fault but the kill, in turn: each link has each of its own. */
const others: readonly ((random: Random) => Fault)[] = [
  () => ({ kind: 'restart' }),
  (random) => ({ kind: 'jump', seconds: 30 + random.below(90) }),
  ...links.map((link) => () => ({ kind: 'reset', link }) as const),
  ...links.map(
    (link) => (random: Random) =>
      ({ kind: 'latency', link, delayMs: 20 + random.below(130), forMs: 400 + random.below(800) }) as const,
  ),
  ...links.map((link) => (random: Random) => ({ kind: 'cut', link, forMs: 300 + random.below(1200) }) as const),
  drop,
  (random) => ({ kind: 'freeze', part: random.pick(parts), forMs: 300 + random.below(1200) }),
  drop,
  drop,
]

/** Each kind once, over all links: what fits into few rounds, several in each. */
const sampler = [0, 1, 2, 7, 12, 5, 14, 15]

const latestMs = 600

/**
 * The faults of every round, which follow from the seed and the size alone. The points at which killed processes die
 * once more follow in rotation, in an order of the seed's, so that a hundred rounds have them all.
 */
export function makePlan(seed: number, size: Size): Round[] {
  const random = randomOf(seed, 0)
  const isShort = size.rounds < others.length
  const everyOther = shuffled(random, isShort ? sampler.flatMap((at) => others[at] ?? []) : others)
  const perRound = isShort ? Math.ceil(sampler.length / size.rounds) : 1
  // A short run meets often those points only that every message comes by.
  const offered = (half: 'api' | 'worker') => pointsOf(half).filter((point) => !isShort || !isRare(point))
  const points = { api: shuffled(random, offered('api')), worker: shuffled(random, offered('worker')) }
  const used = { api: 0, worker: 0 }

  function crashOf(part: PartName): Crash {
    const half = halfOf(part)
    const point = points[half][used[half]++ % points[half].length] as CrashPoint
    return { point, nth: isRare(point) ? 1 : 1 + random.below(4) }
  }

  return Array.from({ length: size.rounds }, (_, round) => {
    const before = Math.floor((size.kills * round) / size.rounds)
    const kills = Math.floor((size.kills * (round + 1)) / size.rounds) - before
    const victims = shuffled(random, size.parts).slice(0, kills)
    const faults: Fault[] = victims.map((part, n) => ({
      kind: 'kill',
      part,
      successor: n === 0 ? crashOf(part) : null,
    }))
    for (let n = 0; n < perRound && !size.killsOnly; n++) {
      const other = everyOther[(round * perRound + n) % everyOther.length]?.(random)
      if (other) faults.push(other.kind === 'freeze' ? { ...other, part: sparedBy(size, victims, random) } : other)
    }
    return faults.map((fault) => ({ afterMs: random.below(latestMs), fault }))
  })
}

/** Points that a process comes by once in a round or less. */
function isRare(point: CrashPoint): boolean {
  return /^(?:campaign|reminder|otp|reaper|batch|outcome\.unsent)/.test(point)
}

function halfOf(part: PartName): 'api' | 'worker' {
  return part.startsWith('api') ? 'api' : 'worker'
}

function pointsOf(half: 'api' | 'worker'): CrashPoint[] {
  return (Object.keys(crashPoints) as (keyof typeof crashPoints)[]).filter((point) => crashPoints[point] === half)
}

function sparedBy(size: Size, victims: readonly PartName[], random: Random): PartName {
  return random.pick(size.parts.filter((part) => !victims.includes(part)))
}

function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const left = [...values]
  return Array.from(values, () => left.splice(random.below(left.length), 1)[0] as T)
}

/** One fault as a line for people. */
export function faultLine(fault: Fault): string {
  switch (fault.kind) {
    case 'kill': {
      const { part, successor } = fault
      return `kill -9 of ${part}${successor ? `, then death at ${successor.point} (${successor.nth})` : ''}`
    }
    case 'freeze':
      return `${fault.part} stands still for ${fault.forMs} ms`
    case 'restart':
      return 'immediate restart of Postgres'
    case 'latency':
      return `${fault.link} takes ${fault.delayMs} ms more for ${fault.forMs} ms`
    case 'reset':
      return `${fault.link} resets its connections`
    case 'cut':
      return `${fault.link} is cut for ${fault.forMs} ms`
    case 'jump':
      return `the clock jumps by ${fault.seconds} s`
    case 'drop':
      return `number ${fault.number} is down for ${fault.seconds} s`
  }
}

/** The plan as lines, one for each fault. */
export function planLines(plan: readonly Round[]): string[] {
  return plan.flatMap((round, n) =>
    round.map(({ afterMs, fault }) => `round ${n + 1}, after ${afterMs} ms: ${faultLine(fault)}`),
  )
}
