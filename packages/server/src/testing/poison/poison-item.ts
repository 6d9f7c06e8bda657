import type { WorkKind } from '#platform/set-aside/kinds.ts'
import type { TestServer } from '#testing/start-server.ts'

/** An item that is due for a loop. */
export interface DueItem {
  /** The id by which the loop knows it. */
  readonly item: string
  /** What {@link atWork} knows it by: its organization, or the item itself. */
  readonly owner: string
}

/** Items of one kind: how a test makes one that is due, and what becomes of it. */
export interface PoisonKind {
  readonly kind: WorkKind
  /** Makes an item with an organization of its own, to be due within two minutes. */
  make(server: TestServer): Promise<DueItem>
  /** Returns its state in one word. */
  state(server: TestServer, due: DueItem): Promise<string>
  /** The states of an item that was worked on, and of one that was set aside. */
  readonly done: string
  readonly setAside: string
}
