/**
 * How many items a process works on at a time, by the number of processes that were lost with each of them: all that
 * lost none, and few of the others, so that the one that ends processes is found. 300 are enough to catch up soon after
 * a process was killed for another reason.
 */
const mostTogether = [Number.POSITIVE_INFINITY, 300, 1, 1] as const

/** After so many lost processes in a row, an item is set aside. It was alone with the last two of them. */
export const mostLost = mostTogether.length

/** Returns how many items that lost this many processes may be in work together. */
export function togetherAt(lostProcesses: number): number {
  return mostTogether[Math.min(lostProcesses, mostLost - 1)] ?? 1
}

/** An item with the number of processes that were lost with it. */
export interface Suspected<T> {
  readonly item: T
  readonly lostProcesses: number
}

/**
 * Splits items into groups, to be worked on one after the other: first those that lost no process, then those that lost
 * few.
 */
export function toGroups<T>(items: readonly Suspected<T>[]): T[][] {
  const groups: T[][] = []
  for (let lost = 0; lost < mostLost; lost++) {
    const left = items.filter(({ lostProcesses }) => lostProcesses === lost).map(({ item }) => item)
    while (left.length > 0) groups.push(left.splice(0, togetherAt(lost)))
  }
  return groups
}

/** An item of a loop that keeps the order of each lane, such as a number. */
export interface InLane<T> {
  readonly item: T
  readonly lane: string
  /** Null: the item cannot be worked on now, and neither can those behind it in its lane. */
  readonly lostProcesses: number | null
}

/**
 * Returns the items to work on next, in their order: of all lanes whose first item lost no process, or with
 * `suspectsFirst` those whose first item lost few. A lane ends at an item that lost another number of processes than
 * its first.
 */
export function chooseInOrder<T>(items: readonly InLane<T>[], suspectsFirst: boolean): T[] {
  const levels = new Map<string, number | null>()
  const groups = new Map<number, T[]>()
  for (const { item, lane, lostProcesses } of items) {
    const level = levels.has(lane) ? levels.get(lane) : lostProcesses
    levels.set(lane, level === lostProcesses ? lostProcesses : null)
    if (level === null || level === undefined || level !== lostProcesses) continue
    groups.set(level, [...(groups.get(level) ?? []), item])
  }
  const found = [...groups.keys()].sort((a, b) => a - b)
  const level = (suspectsFirst ? found.find((lost) => lost > 0) : undefined) ?? found[0]
  if (level === undefined) return []
  return (groups.get(level) ?? []).slice(0, togetherAt(level))
}

/** What a process has in work of items that lost processes: all of them lost the same number. */
export interface InWork {
  readonly lostProcesses: number
  readonly count: number
}

/** Nothing in work lost a process. */
export const noSuspects: InWork = { lostProcesses: 0, count: 0 }

/**
 * SQL of two common table expressions: `admitted` has the ids of the rows of `picked`, with the columns id and
 * lost_processes, that a process may work on beside what it has in work. These are all that lost no process, and of
 * those that lost the fewest as many as may be in work together; and those to set aside. Needs {@link suspectBindings}.
 */
export const admittedOfPicked = `
  suspected as (
    select min(lost_processes) as level from picked
     where lost_processes between 1 and :mostLost::int - 1 and (:inWork::int = 0 or lost_processes = :inWorkLost::int)
  ), admitted as (
    select id from picked where lost_processes = 0 or lost_processes >= :mostLost::int
    union all
    (select id from picked where lost_processes = (select level from suspected) order by id
      limit (select greatest(0, (:together::int[])[level] - :inWork::int) from suspected))
  )`

/** Returns the bindings of {@link admittedOfPicked}. */
export function suspectBindings({ lostProcesses, count }: InWork) {
  const together = Array.from({ length: mostLost - 1 }, (_, n) => togetherAt(n + 1))
  return { mostLost, together, inWork: count, inWorkLost: lostProcesses }
}

/** Counts the items in work that lost processes, for a loop that claims more while it works. */
export function countSuspects() {
  const isCounted = (lost: number) => lost > 0 && lost < mostLost
  let lostProcesses = 0
  let count = 0
  return {
    /** Adds one item. One that lost no process, or that is being set aside, is not counted. */
    add(lost: number): void {
      if (!isCounted(lost)) return
      lostProcesses = lost
      count += 1
    },
    remove(lost: number): void {
      if (isCounted(lost)) count -= 1
    },
    read: (): InWork => ({ lostProcesses, count }),
  }
}
