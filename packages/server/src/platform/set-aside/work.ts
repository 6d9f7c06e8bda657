import { atWork } from '#platform/crash-points.ts'
import type { Services } from '#services.ts'
import { setAsideKinds, type WorkKind } from './kinds.ts'
import { mostLost, type Suspected, toGroups } from './suspicion.ts'
import {
  countLost,
  endBatch,
  findStandings,
  insertBatch,
  insertIfUnsuspected,
  renewBatch,
  reopen,
  type WorkBatch,
  type WorkItem,
  writeSetAside,
} from './work-store.ts'

/** What the guard of a loop works with. */
export type WorkServices = Pick<Services, 'db' | 'log'>

/** How a loop works on items, and what it does with one that has to be set aside. */
export interface Work<T extends WorkItem> {
  /** Works on items together. */
  run(items: readonly T[]): Promise<void>
  /**
   * Moves an item to a final state. Without it the item stays where it is, and no loop works on it until it is retried.
   */
  setAside?(item: T): Promise<void>
}

/** Items that were claimed, by what is to be done with them. */
export interface Judged<T> {
  readonly suspected: readonly Suspected<T>[]
  /** Another process works on these, or died with them a moment ago. */
  readonly inWork: readonly T[]
  /** Too many processes died with these: they are to be set aside now. */
  readonly lost: readonly T[]
  /** These were set aside, and stay where they are. */
  readonly setAside: readonly T[]
}

const renewEveryMs = 5000
/** A periodic job serves all organizations: it is tried again after this time. */
const retryHours: Partial<Record<WorkKind, number>> = { jobs: 1 }

/**
 * Works on items that were claimed, so that no item can end process after process: which items are in work is committed
 * before the work begins. Items with which a process died are worked on later and in ever smaller groups. One that was
 * lost with {@link mostLost} processes in a row is set aside, with a log line and in the list of
 * `msgctl-server set-aside`. An error of `run` is no death: it is thrown, and the groups after it are left out. Returns
 * the items that were not worked on.
 */
export async function workOn<T extends WorkItem>(
  services: WorkServices,
  kind: WorkKind,
  items: readonly T[],
  work: Work<T>,
): Promise<Pick<Judged<T>, 'inWork' | 'setAside'>> {
  if (items.length === 0) return { inWork: [], setAside: [] }
  const all = toBatch(kind, items)
  if (await insertIfUnsuspected(services.db, all)) {
    await runBatch(services, all, () => work.run(items))
    return { inWork: [], setAside: [] }
  }
  const { suspected, inWork, lost, setAside } = await judge(services, kind, items)
  for (const item of lost) {
    await work.setAside?.(item)
    await noteSetAside(services, kind, item)
  }
  for (const group of toGroups(suspected)) {
    const batch = toBatch(kind, group)
    await insertBatch(services.db, batch)
    await runBatch(services, batch, () => work.run(group))
  }
  return { inWork, setAside: [...setAside, ...lost] }
}

/** Counts the processes that died, and judges items that were claimed. */
export async function judge<T extends WorkItem>(
  { db }: Pick<WorkServices, 'db'>,
  kind: WorkKind,
  items: readonly T[],
): Promise<Judged<T>> {
  await countLost(db, kind)
  const ids = items.map(({ id }) => id)
  const standings = await findStandings(db, kind, ids, retryHours[kind] ?? null)
  const judged = { suspected: [] as Suspected<T>[], inWork: [] as T[], lost: [] as T[], setAside: [] as T[] }
  for (const item of items) {
    const { isInWork = false, isSetAside = false, lostProcesses = 0 } = standings.get(item.id) ?? {}
    if (isInWork) judged.inWork.push(item)
    else if (isSetAside && setAsideKinds[kind].stays) judged.setAside.push(item)
    // One that was set aside, and is wanted again by its organization or an operator, has one more process to lose.
    else if (lostProcesses >= mostLost && !(await reopen(db, kind, item.id))) judged.lost.push(item)
    else judged.suspected.push({ item, lostProcesses: Math.min(lostProcesses, mostLost - 1) })
  }
  return judged
}

/** Records that an item was set aside, in the list and in the log. */
export async function noteSetAside({ db, log }: WorkServices, kind: WorkKind, item: WorkItem): Promise<void> {
  const { id, organizationId } = item
  log.error(
    { event: 'item_set_aside', kind, item: id, organizationId, processes: mostLost },
    'set aside an item with which several processes died',
  )
  await writeSetAside(db, kind, { id, organizationId })
}

/** Returns items as a batch. */
export function toBatch(kind: WorkKind, items: readonly WorkItem[]): WorkBatch {
  return { id: crypto.randomUUID(), kind, items }
}

/** Runs the work of a batch that was written, renews its lease while the work lasts, and writes that it has ended. */
export async function runBatch({ db, log }: WorkServices, batch: WorkBatch, work: () => Promise<void>): Promise<void> {
  // A renewal that fails is made up by the next one.
  const renewal = setInterval(() => void renewBatch(db, batch.id).catch(() => undefined), renewEveryMs)
  try {
    const owners = batch.items.flatMap(({ id, organizationId }) => [id, organizationId])
    await atWork(batch.kind, owners)
    await work()
  } finally {
    clearInterval(renewal)
    await endBatch(db, batch).catch((err: unknown) =>
      log.warn({ event: 'work_end_not_written', err, kind: batch.kind }, 'failed to write that work has ended'),
    )
  }
}
