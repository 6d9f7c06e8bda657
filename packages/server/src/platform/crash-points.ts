import { writeSync } from 'node:fs'

/**
 * The places at which a process can be made to die: around each write that must not be lost or repeated.
 * `before-commit` is at the end of an open transaction, `committed` after it. A code is stored in a transaction that is
 * still open.
 */
export const crashPoints = {
  'send.before-write': 'api',
  'send.committed': 'api',
  'batch.before-commit': 'api',
  'batch.committed': 'api',
  'campaign-create.before-commit': 'api',
  'campaign-create.committed': 'api',
  'campaign-start.before-commit': 'api',
  'campaign-start.committed': 'api',
  'campaign-pause.before-commit': 'api',
  'campaign-pause.committed': 'api',
  'campaign-resume.before-commit': 'api',
  'campaign-resume.committed': 'api',
  'reminder-create.before-commit': 'api',
  'reminder-create.committed': 'api',
  'otp.code-stored': 'api',
  'direct.committed': 'api',
  'direct.taken-by-network': 'api',
  'direct.recorded': 'api',
  'otp-verify.try-counted': 'api',
  'otp-verify.written': 'api',
  'claim.before-commit': 'worker',
  'claim.committed': 'worker',
  'campaign-message.begun': 'worker',
  'queue.before-network': 'worker',
  'queue.taken-by-network': 'worker',
  'outcome.before-write': 'worker',
  'outcome.sent-written': 'worker',
  'outcome.unsent-before-commit': 'worker',
  'outcome.unsent-committed': 'worker',
  'reaper.before-commit': 'worker',
  'reaper.committed': 'worker',
  'receipt.before-commit': 'worker',
  'receipt.committed': 'worker',
  'inbound.before-commit': 'worker',
  'inbound.committed': 'worker',
  'network-events.stored': 'worker',
  'campaign-due.before-commit': 'worker',
  'campaign-due.committed': 'worker',
  'reminder-due.taken': 'worker',
  'reminder-due.before-commit': 'worker',
  'reminder-due.committed': 'worker',
  'webhook.claimed': 'worker',
  'webhook.answered': 'worker',
  'webhook.written': 'worker',
} as const

/**
 * The same for people, organizations, assistants and payments, which the chaos test does not change: tests of their own
 * die at each.
 */
export const peopleCrashPoints = {
  'invite.before-commit': 'api',
  'invite.committed': 'api',
  'join.before-commit': 'api',
  'join.committed': 'api',
  'reset.before-commit': 'api',
  'reset.committed': 'api',
  'transfer.without-owner': 'api',
  'transfer.before-commit': 'api',
  'transfer.committed': 'api',
  'organization-delete.before-commit': 'api',
  'organization-delete.committed': 'api',
  'account-delete.before-commit': 'api',
  'account-delete.committed': 'api',
  'erasure.number-removed': 'worker',
  'erasure.batch-committed': 'worker',
  'erasure.before-commit': 'worker',
  'bot-turn.claimed': 'worker',
  'bot-turn.before-commit': 'worker',
  'bot-turn.committed': 'worker',
  'bot-model.asked': 'worker',
  'billing.operation-committed': 'api',
  'billing.called': 'api',
  'billing.applied-before-commit': 'api',
  'billing.event-stored': 'api',
  'billing.refresh-read': 'worker',
  'billing.refresh-before-commit': 'worker',
  'billing.end-called': 'worker',
} as const

export type CrashPoint = keyof typeof crashPoints | keyof typeof peopleCrashPoints

/** The crash of a process: when it passes this point for the `nth` time, counted from 1. */
export interface Crash {
  readonly point: CrashPoint
  readonly nth: number
}

type Listener = (point: CrashPoint) => void

let listener: Listener | null = null

/**
 * Marks a place where a crash must do no harm. Does nothing unless a test observes the points or made this process die
 * here.
 */
export function crashPoint(point: CrashPoint): void {
  listener?.(point)
}

/** Calls a function for each point that is passed, until the returned function is called; for tests. */
export function onCrashPoint(heard: Listener): () => void {
  listener = heard
  return () => {
    listener = null
  }
}

/** Makes this process die at a point, as by kill -9: nothing is finished or closed. */
export function armCrash(crash: Crash | WorkCrash): void {
  if ('work' in crash) {
    workCrash = crash
    return
  }
  const { point, nth } = crash
  let left = nth
  listener = (reached) => {
    if (reached !== point) return
    left -= 1
    if (left === 0) die(`the crash point ${point}`)
  }
}

function die(place: string): void {
  writeSync(process.stderr.fd, `died at ${place}\n`)
  process.kill(process.pid, 'SIGKILL')
}

/**
 * The crash of a process that works on certain items, however often it is started. With `waits` the work stops there
 * for ever, so that a test can end the process when several loops have come to theirs.
 */
export interface WorkCrash {
  /** The work, each as `<kind>@<owner>`. */
  readonly work: ReadonlySet<string>
  readonly waits: boolean
}

let workCrash: WorkCrash | null = null
const done = Promise.resolve()

/**
 * Marks where a loop works on items of one kind that it has claimed, after the claim was committed. `owners` are the
 * ids of their organizations, or of the items. Resolves at once unless a test made this process die at such work.
 */
export function atWork(kind: string, owners: readonly (string | null)[]): Promise<void> {
  if (workCrash === null) return done
  const reached = owners.map((owner) => `${kind}@${owner}`).find((work) => workCrash?.work.has(work))
  if (reached === undefined) return done
  if (!workCrash.waits) die(`the work ${reached}`)
  writeSync(process.stderr.fd, `waits at the work ${reached}\n`)
  return new Promise(() => undefined)
}

/**
 * Parses the forms of CRASH_AT: `<point>:<nth>`, and `work:<kind>@<owner>` or `wait:<kind>@<owner>`, several separated
 * by commas. Undefined for anything else.
 */
export function parseCrash(text: string): Crash | WorkCrash | undefined {
  const [, form = '', work = ''] = /^(work|wait):([\w.-]+@[\w.-]+(?:,[\w.-]+@[\w.-]+)*)$/.exec(text) ?? []
  if (form !== '') return { work: new Set(work.split(',')), waits: form === 'wait' }
  const [, point = '', nth = ''] = /^([a-z.-]+):([1-9]\d{0,5})$/.exec(text) ?? []
  return isCrashPoint(point) ? { point, nth: Number(nth) } : undefined
}

function isCrashPoint(text: string): text is CrashPoint {
  return Object.hasOwn(crashPoints, text) || Object.hasOwn(peopleCrashPoints, text)
}
