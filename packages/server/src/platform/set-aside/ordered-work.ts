import type { WorkKind } from './kinds.ts'
import { chooseInOrder } from './suspicion.ts'
import { judge, toBatch, type WorkServices } from './work.ts'
import { insertBatch, insertIfUnsuspected, type WorkBatch, type WorkItem } from './work-store.ts'

/** An item of a loop that keeps the order of each lane. */
export interface OrderedItem extends WorkItem {
  /** Items of one lane, such as a number, are worked on in their order. */
  readonly lane: string
}

/** What to do with items that a transaction has locked. */
export interface Chosen<T> {
  /** The batch to work on, which was written; null when there is none. */
  readonly batch: WorkBatch | null
  readonly items: readonly T[]
  /** Too many processes died with these: they are to be set aside. */
  readonly lost: readonly T[]
}

/** Chooses what to work on of items that were locked, for one loop. Each has an order to keep. */
export function orderedWork(services: WorkServices, kind: WorkKind) {
  let suspectsFirst = false
  return {
    /**
     * Writes which items are in work now: all, unless a process died with one of them. Then every second batch consists
     * of such items, so that a steady flow of others does not keep them waiting.
     */
    async choose<T extends OrderedItem>(items: readonly T[]): Promise<Chosen<T>> {
      if (items.length === 0) return { batch: null, items, lost: [] }
      const all = toBatch(kind, items)
      if (await insertIfUnsuspected(services.db, all)) return { batch: all, items, lost: [] }
      const { suspected, lost } = await judge(services, kind, items)
      const standings = new Map(suspected.map(({ item, lostProcesses }) => [item, lostProcesses]))
      const inLanes = items
        .filter((item) => !lost.includes(item))
        .map((item) => ({ item, lane: item.lane, lostProcesses: standings.get(item) ?? null }))
      const chosen = chooseInOrder(inLanes, suspectsFirst)
      suspectsFirst = !suspectsFirst
      if (chosen.length === 0) return { batch: null, items: [], lost }
      const batch = toBatch(kind, chosen)
      await insertBatch(services.db, batch)
      return { batch, items: chosen, lost }
    },
  }
}
