import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import type { HostLog } from '../process/log.ts'
import { Names, type Stanza, skeletonOf } from './skeleton.ts'

/** Whether a stanza came from the network, or left for it. */
export type Way = 'in' | 'out'

/** A file holds so much of the stanzas of a number; the one before it is kept. */
const mostBytes = 16 * 1_048_576

/** The stanzas of one number as a trace keeps them, one line of JSON each. Its failure ends the trace only. */
export class NumberTrace {
  readonly #file: string
  readonly #mostBytes: number
  readonly #onFailure: (error: unknown) => void
  readonly #names = new Names()
  #bytes: number
  #hasFailed = false

  constructor(file: string, onFailure: (error: unknown) => void, most = mostBytes) {
    this.#file = file
    this.#onFailure = onFailure
    this.#mostBytes = most
    this.#bytes = existsSync(file) ? statSync(file).size : 0
  }

  /** A connection begins. */
  connecting(): void {
    this.#append({ connects: true })
  }

  write(way: Way, stanza: Stanza): void {
    this.#append({ way, ...skeletonOf(stanza, this.#names) })
  }

  #append(entry: object): void {
    if (this.#hasFailed) return
    const line = `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`
    try {
      if (this.#bytes + line.length > this.#mostBytes) this.#startNext()
      appendFileSync(this.#file, line, { mode: 0o600 })
      this.#bytes += line.length
    } catch (error) {
      this.#hasFailed = true
      this.#onFailure(error)
    }
  }

  #startNext(): void {
    const before = this.#file.replace(/\.jsonl$/, '.before.jsonl')
    if (existsSync(this.#file)) renameSync(this.#file, before)
    const line = `${JSON.stringify({ at: new Date().toISOString(), continues: path.basename(before) })}\n`
    appendFileSync(this.#file, line, { mode: 0o600 })
    this.#bytes = line.length
  }
}

/** The folder with the traces of all numbers of a host: a file for each. */
export class TraceFolder {
  readonly #folder: string
  readonly #log: HostLog
  readonly #traces = new Map<string, NumberTrace>()

  /** Makes the folder. Throws an Error when it cannot be made. */
  constructor(folder: string, log: HostLog) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#folder = folder
    this.#log = log
  }

  /** Returns the trace of a number; names in it stay the same over connections. */
  of(containerId: string): NumberTrace {
    const known = this.#traces.get(containerId)
    if (known) return known
    const trace = new NumberTrace(path.join(this.#folder, `${containerId}.jsonl`), (err) =>
      this.#log.warn({ event: 'trace_ended', containerId, err }, 'failed to write a trace; it ends'),
    )
    this.#traces.set(containerId, trace)
    return trace
  }
}
