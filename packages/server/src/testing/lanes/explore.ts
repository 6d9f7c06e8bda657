import { Blocked, SmallDatabase, type Value, type Values } from './read-committed.ts'

/** What a process remembers between its steps. */
export type Memory = Readonly<Record<string, unknown>>

/**
 * One step of a process, which nothing interrupts. A `snapshot` begins a statement, `work` belongs to the statement
 * that took the last snapshot, `commit` ends the transaction.
 */
export interface Step {
  readonly name: string
  readonly kind: 'snapshot' | 'work' | 'commit' | 'tick'
  readonly run?: (view: View) => void
}

/** A condition: unless it holds, the process passes over this many steps. */
interface Branch {
  readonly kind: 'branch'
  readonly when: (memory: Memory) => boolean
  readonly length: number
}

/** Steps that a process makes only when a condition holds as it reaches them. */
export function onlyWhen(when: (memory: Memory) => boolean, steps: readonly (Step | Branch)[]): (Step | Branch)[] {
  return [{ kind: 'branch', when, length: steps.length }, ...steps]
}

/** A process: its steps, one after the other. One that may die does so between any two of them. */
export interface Program {
  readonly name: string
  readonly steps: readonly (Step | Branch)[]
  readonly mayDie?: boolean
}

/** Processes that run at once, and the rows that they find. */
interface Scenario {
  readonly rows: Values
  readonly programs: readonly Program[]
}

interface ProcessState {
  readonly at: number
  readonly snapshot: Values | null
  readonly memory: Memory
}

/** One moment of a scenario. */
export interface State {
  readonly time: number
  readonly database: SmallDatabase
  readonly processes: Readonly<Record<string, ProcessState>>
  /** What the processes noted for the check, in their order. */
  readonly notes: readonly unknown[]
  readonly anyDied: boolean
}

/** Returns what is wrong with a state; null: nothing. `ended`: no process has a step left. */
type Check = (state: State, ended: boolean) => string | null

/** The number of states, and the first fault with the shortest way to it. */
export interface Exploration {
  readonly states: number
  readonly fault: string | null
  readonly trace: readonly string[]
}

/** What a step of a process sees and does. */
export class View {
  readonly name: string
  readonly #database: SmallDatabase
  time: number
  snapshot: Values | null
  memory: Memory
  notes: readonly unknown[]

  constructor(state: State, name: string, database: SmallDatabase) {
    const own = processOf(state, name)
    this.name = name
    this.#database = database
    this.time = state.time
    this.snapshot = own.snapshot
    this.memory = own.memory
    this.notes = state.notes
  }

  /** Returns a row as the statement sees it: as this transaction wrote it, else as it was at the snapshot. */
  see(key: string): Value | null {
    const written = this.#database.written(key, this.name)
    return written === undefined ? (this.snapshot?.[key] ?? null) : written
  }

  /** Returns the rows that the statement sees whose keys begin like this. */
  list(prefix: string): (readonly [key: string, value: Value])[] {
    return Object.keys(this.snapshot ?? {}).flatMap((key) => {
      const value = key.startsWith(prefix) ? this.see(key) : null
      return value === null ? [] : [[key, value] as const]
    })
  }

  /** Locks a row that the statement sees, and returns its newest version; null when it is gone. Waits for the lock. */
  lock(key: string): Value | null {
    if (this.see(key) === null) return null
    if (!this.#database.isFree(key, this.name)) throw new Blocked()
    return this.#database.lock(key, this.name)
  }

  /** Does the same, but returns null where another process has the lock. */
  lockUnlessLocked(key: string): Value | null {
    return this.#database.isFree(key, this.name) ? this.lock(key) : null
  }

  /** Returns the row as this transaction wrote it, else its newest committed version. */
  newest(key: string): Value | null {
    return this.#database.newest(key, this.name)
  }

  /** Returns the committed version, for checks: no statement reads it. */
  committed(key: string): Value | null {
    return this.#database.committed()[key] ?? null
  }

  write(key: string, value: Value | null): void {
    this.#database.write(key, this.name, value)
  }

  remember(more: Memory): void {
    this.memory = { ...this.memory, ...more }
  }

  note(what: unknown): void {
    this.notes = [...this.notes, what]
  }
}

interface Node {
  readonly state: State
  readonly from: Node | null
  readonly what: string
}

/** Makes every interleaving of the processes, the short ones first, and stops at the first fault. */
export function explore({ rows, programs }: Scenario, check: Check): Exploration {
  const start: State = {
    time: 0,
    database: new SmallDatabase(rows),
    processes: Object.fromEntries(programs.map((one) => [one.name, begin(one)])),
    notes: [],
    anyDied: false,
  }
  const seen = new Set([JSON.stringify(start)])
  let frontier: Node[] = [{ state: start, from: null, what: '' }]
  const fail = (fault: string, node: Node) => ({ states: seen.size, fault, trace: traceOf(node) })
  while (frontier.length > 0) {
    const next: Node[] = []
    for (const node of frontier) {
      const reached = programs.flatMap((program) => stepsOf(node, program))
      const unfinished = programs.filter(({ name, steps }) => processOf(node.state, name).at < steps.length)
      if (reached.length === 0 && unfinished.length > 0) {
        return fail(`deadlock of ${unfinished.map(({ name }) => name).join(' and ')}`, node)
      }
      const fault = check(node.state, unfinished.length === 0)
      if (fault !== null) return fail(fault, node)
      for (const one of reached) {
        const key = JSON.stringify(one.state)
        if (seen.has(key)) continue
        seen.add(key)
        next.push(one)
      }
    }
    frontier = next
  }
  return { states: seen.size, fault: null, trace: [] }
}

function begin({ steps }: Program): ProcessState {
  return { at: nextStep(steps, 0, {}), snapshot: null, memory: {} }
}

function processOf(state: State, name: string): ProcessState {
  const found = state.processes[name]
  if (!found) throw new Error(`there is no process ${name}`)
  return found
}

/** Returns where a process continues that has reached a step or a branch. */
function nextStep(steps: Program['steps'], at: number, memory: Memory): number {
  const reached = steps[at]
  if (reached?.kind !== 'branch') return at
  return nextStep(steps, at + 1 + (reached.when(memory) ? 0 : reached.length), memory)
}

/** Returns what may happen next to one process: its next step, or its death. */
function stepsOf(node: Node, program: Program): Node[] {
  const { at } = processOf(node.state, program.name)
  const step = program.steps[at]
  if (!step || step.kind === 'branch') return []
  const reached = runStep(node, program, step, at)
  return program.mayDie && at > 0 ? [...reached, die(node, program)] : reached
}

function runStep(node: Node, { name, steps }: Program, step: Step, at: number): Node[] {
  const { state } = node
  const database = new SmallDatabase(state.database)
  const view = new View(state, name, database)
  if (step.kind === 'snapshot') view.snapshot = database.committed()
  try {
    step.run?.(view)
  } catch (error) {
    if (error instanceof Blocked) return []
    throw error
  }
  if (step.kind === 'commit') database.end(name, true)
  const next = nextStep(steps, at + 1, view.memory)
  // What a process does not need any more must not make two states different.
  const snapshot = steps[next]?.kind === 'work' ? view.snapshot : null
  const processes = { ...state.processes, [name]: { at: next, snapshot, memory: view.memory } }
  const reached = { ...state, time: view.time, database, processes, notes: view.notes }
  return [{ state: reached, from: node, what: `${name} ${step.name}` }]
}

/** Ends a process: its transaction is rolled back. */
function die(node: Node, { name, steps }: Program): Node {
  const database = new SmallDatabase(node.state.database)
  database.end(name, false)
  const processes = { ...node.state.processes, [name]: { at: steps.length, snapshot: null, memory: {} } }
  return { state: { ...node.state, database, processes, anyDied: true }, from: node, what: `${name} dies` }
}

function traceOf(node: Node): string[] {
  const steps: string[] = []
  for (let at: Node | null = node; at?.from; at = at.from) steps.unshift(at.what)
  return steps
}
