import type { Host } from '../host.ts'
import { shownSeconds } from '../input/duration.ts'
import { shortened } from './sanitize.ts'

/** How far something is that has `total` parts, of which `failed` of the `done` ones failed. */
export interface Progress {
  readonly done: number
  readonly failed: number
  readonly total: number
}

interface Sample {
  readonly atMs: number
  readonly done: number
}

/** How long the rate looks back: long enough to even out messages that leave seconds apart. */
const windowMs = 60_000
const longestBar = 20
const shortestBar = 5
/** Without a terminal a line is written this often at most, so that a log stays short. */
const lineEveryMs = 10_000
const defaultColumns = 80

/** Parts done per minute, over the last minute. */
export class Rate {
  #samples: Sample[] = []

  add(sample: Sample): void {
    // One sample before the window stays, so that a slow source has a rate too.
    const inWindow = this.#samples.findIndex(({ atMs }) => atMs >= sample.atMs - windowMs)
    if (inWindow > 1) this.#samples.splice(0, inWindow - 1)
    this.#samples.push(sample)
  }

  /** What stood still before does not count: a pause is no slowness. */
  restart(): void {
    this.#samples = []
  }

  /** Undefined until something was done while it was looked at. */
  perMinute(): number | undefined {
    const first = this.#samples[0]
    const last = this.#samples.at(-1)
    if (!first || !last || last.atMs === first.atMs || last.done <= first.done) return undefined
    return ((last.done - first.done) / (last.atMs - first.atMs)) * 60_000
  }
}

/** Rate, time left and failures, as far as they are known, separated by commas. */
function facts({ done, failed, total }: Progress, perMinute: number | undefined): string {
  const left = perMinute === undefined ? undefined : ((total - done) / perMinute) * 60
  return [
    `${done} of ${total}`,
    ...(perMinute === undefined ? [] : [`${perMinute < 10 ? perMinute.toFixed(1) : Math.round(perMinute)} a minute`]),
    ...(left === undefined || done === total ? [] : [`${shownSeconds(left)} left`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ].join(', ')
}

function percentOf({ done, total }: Progress): number {
  return total === 0 ? 100 : Math.floor((done / total) * 100)
}

/** A bar that fills the room there is, or nothing where there is too little. */
function bar(percent: number, room: number): string {
  const length = Math.min(longestBar, room - 3)
  if (length < shortestBar) return ''
  const filled = Math.floor((percent * length) / 100)
  return ` [${'#'.repeat(filled)}${'.'.repeat(length - filled)}]`
}

/** A line of progress of at most `columns` characters, with a bar where it fits; without `columns` there is none. */
export function progressText(
  word: string,
  progress: Progress,
  perMinute: number | undefined,
  columns: number | undefined,
): string {
  const percent = percentOf(progress)
  const rest = `${String(percent).padStart(4)} %  ${facts(progress, perMinute)}`
  return `${word}${bar(percent, columns === undefined ? 0 : columns - word.length - rest.length)}${rest}`
}

/** A line on stderr that changes in its place on a terminal, and is written now and then elsewhere. */
export class ProgressLine {
  readonly #host: Host
  readonly #silent: boolean
  #shown: string | undefined
  #writtenAtMs = Number.NEGATIVE_INFINITY

  constructor(host: Host, silent: boolean) {
    this.#host = host
    this.#silent = silent
  }

  /** The characters there are for a line that changes in its place; undefined where none can. */
  get columns(): number | undefined {
    const { stderr, env } = this.#host
    return stderr.isTTY === true && env.TERM !== 'dumb' ? (stderr.columns || defaultColumns) - 1 : undefined
  }

  /** Shows `text` instead of what was there; `important` lines are written at once everywhere. */
  show(text: string, important: boolean): void {
    if (this.#silent || text === this.#shown) return
    const { stderr } = this.#host
    if (this.columns !== undefined) {
      stderr.write(`\r\u001b[K${shortened(text, this.columns)}`)
    } else {
      const nowMs = this.#host.now()
      if (!important && nowMs - this.#writtenAtMs < lineEveryMs) return
      this.#writtenAtMs = nowMs
      stderr.write(`${text}\n`)
    }
    this.#shown = text
  }

  /** Leaves the line as it is; what follows stands below it. */
  end(): void {
    if (this.#shown !== undefined && this.columns !== undefined) this.#host.stderr.write('\n')
    this.#shown = undefined
  }
}
