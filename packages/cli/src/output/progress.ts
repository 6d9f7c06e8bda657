import type { Host } from '../host.ts'
import { shownSeconds } from '../input/duration.ts'
import { shortened } from './sanitize.ts'

/** Progress of `total` parts: `done` of them, including `failed`. */
export interface Progress {
  readonly done: number
  readonly failed: number
  readonly total: number
}

interface Sample {
  readonly atMs: number
  readonly done: number
}

/** The window of the rate: long enough to average messages that leave seconds apart. */
const windowMs = 60_000
const longestBar = 20
const shortestBar = 5
/** The minimum time between lines without a terminal, so that a log stays short. */
const lineEveryMs = 10_000
const defaultColumns = 80

/** Parts done per minute, over the last minute. */
export class Rate {
  #samples: Sample[] = []

  add(sample: Sample): void {
    // One sample before the window is kept, so that a slow source has a rate too.
    const inWindow = this.#samples.findIndex(({ atMs }) => atMs >= sample.atMs - windowMs)
    if (inWindow > 1) this.#samples.splice(0, inWindow - 1)
    this.#samples.push(sample)
  }

  /** Discards the samples, so that a pause does not lower the rate. */
  restart(): void {
    this.#samples = []
  }

  /** Returns undefined until progress was observed. */
  perMinute(): number | undefined {
    const first = this.#samples[0]
    const last = this.#samples.at(-1)
    if (!first || !last || last.atMs === first.atMs || last.done <= first.done) return undefined
    return ((last.done - first.done) / (last.atMs - first.atMs)) * 60_000
  }
}

/** Returns count, rate, remaining time and failures, as far as they are known, separated by commas. */
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

/** Returns the text of a bar of exactly `length` characters. */
export type DrawBar = (length: number) => string

function plainBar(percent: number): DrawBar {
  return (length) => {
    const filled = Math.floor((percent * length) / 100)
    return `${'#'.repeat(filled)}${'.'.repeat(length - filled)}`
  }
}

/** Returns a bar that fits into `width`, or an empty text if that is too small. */
function bar(draw: DrawBar, width: number): string {
  const length = Math.min(longestBar, width - 3)
  return length < shortestBar ? '' : ` [${draw(length)}]`
}

/**
 * Returns a progress line of at most `columns` characters, with a bar if it fits; without `columns` there is no bar.
 * `draw` replaces the bar, for example by one that shows several counts.
 */
export function progressText(
  word: string,
  progress: Progress,
  perMinute: number | undefined,
  columns: number | undefined,
  draw?: DrawBar,
): string {
  const percent = percentOf(progress)
  const rest = `${String(percent).padStart(4)} %  ${facts(progress, perMinute)}`
  const room = columns === undefined ? 0 : columns - word.length - rest.length
  return `${word}${bar(draw ?? plainBar(percent), room)}${rest}`
}

/** A progress line on stderr: updated in place on a terminal, otherwise written at intervals. */
export class ProgressLine {
  readonly #host: Host
  readonly #silent: boolean
  #shown: string | undefined
  #writtenAtMs = Number.NEGATIVE_INFINITY

  constructor(host: Host, silent: boolean) {
    this.#host = host
    this.#silent = silent
  }

  /** Whether anything was shown since the start or the last end. */
  get isShown(): boolean {
    return this.#shown !== undefined
  }

  /** The width for a line that is updated in place; undefined without a terminal. */
  get columns(): number | undefined {
    const { stderr, env } = this.#host
    return stderr.isTTY === true && env.TERM !== 'dumb' ? (stderr.columns || defaultColumns) - 1 : undefined
  }

  /** Replaces the line with `text`. An `important` line is written immediately, also without a terminal. */
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

  /** Ends the line; later output is below it. */
  end(): void {
    if (this.#shown !== undefined && this.columns !== undefined) this.#host.stderr.write('\n')
    this.#shown = undefined
  }
}
