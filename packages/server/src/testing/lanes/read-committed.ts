/** A value of a row. Values are never changed in place, so that states can share them. */
export type Value = object

/** Rows by key; null: there is no row. */
export type Values = Readonly<Record<string, Value | null>>

/** A row with the process that has locked it, and what that process wrote; absent: it only locked the row. */
interface Row {
  readonly committed: Value | null
  readonly lockedBy: string | null
  readonly written?: Value | null
}

/** Thrown where a statement waits for a lock. The step has no effect, and is tried again later. */
export class Blocked extends Error {}

/**
 * The rows of a small database with the rules of READ COMMITTED: a statement reads the rows that were committed when it
 * took its snapshot, and what its own transaction wrote. A lock returns the newest committed version of its row.
 */
export class SmallDatabase {
  readonly #rows: Record<string, Row>

  /** All keys are given here, with null for rows that come later: equal states then have equal texts. */
  constructor(rows: Values | SmallDatabase) {
    this.#rows =
      rows instanceof SmallDatabase
        ? { ...rows.#rows }
        : Object.fromEntries(Object.entries(rows).map(([key, committed]) => [key, { committed, lockedBy: null }]))
  }

  toJSON(): unknown {
    return this.#rows
  }

  /** Returns whether no process holds a lock. */
  isQuiet(): boolean {
    for (const key in this.#rows) if (this.#row(key).lockedBy !== null) return false
    return true
  }

  committed(): Values {
    const values: Record<string, Value | null> = {}
    for (const key in this.#rows) values[key] = this.#row(key).committed
    return values
  }

  isFree(key: string, process: string): boolean {
    const { lockedBy } = this.#row(key)
    return lockedBy === null || lockedBy === process
  }

  /** Returns what the process itself wrote, else the newest committed version. */
  newest(key: string, process: string): Value | null {
    const row = this.#row(key)
    return row.lockedBy === process && row.written !== undefined ? row.written : row.committed
  }

  /** Returns what the process itself wrote; undefined when it wrote nothing. */
  written(key: string, process: string): Value | null | undefined {
    const row = this.#rows[key]
    return row?.lockedBy === process ? row.written : undefined
  }

  /** Locks a row that is free, and returns its newest version; null when it is gone. */
  lock(key: string, process: string): Value | null {
    const newest = this.newest(key, process)
    if (newest !== null) this.#rows[key] = { ...this.#row(key), lockedBy: process }
    return newest
  }

  /** Writes a row, and locks it; null deletes it. */
  write(key: string, process: string, written: Value | null): void {
    if (!this.isFree(key, process)) throw new Blocked()
    this.#rows[key] = { committed: this.#row(key).committed, lockedBy: process, written }
  }

  /** Ends the transaction of a process. */
  end(process: string, commits: boolean): void {
    for (const key in this.#rows) {
      const { committed, lockedBy, written } = this.#row(key)
      if (lockedBy !== process) continue
      this.#rows[key] = { committed: commits && written !== undefined ? written : committed, lockedBy: null }
    }
  }

  #row(key: string): Row {
    const row = this.#rows[key]
    if (!row) throw new Error(`the model has no row ${key}`)
    return row
  }
}
