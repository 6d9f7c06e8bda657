import type { SessionReason } from '@msgctl/contract'
import type { SessionState } from '@msgctl/network/gateway'
import { specialNumber } from '#networks/simulator/people/people.ts'
import { lasting, scaled } from '#networks/simulator/random.ts'

/** Something that will happen to a link by itself. */
type Step = 'boot' | 'next_qr' | 'scan' | 'connect' | 'drop' | 'return' | 'phone_logs_out'

interface Timer {
  readonly step: Step
  readonly atMs: number
  /** The phone that scans. */
  readonly phone?: string
}

/** The link of one number: what is stored of it, times in milliseconds since 1970 of service time. */
export interface Link {
  readonly status: SessionState['status']
  /** Counts the changes of the status, see {@link SessionState.sequence}. */
  readonly sequence: number
  readonly reason: SessionReason | null
  /** The linked phone, digits; kept while the link is stopped or lost. */
  readonly phone: string | null
  readonly qr: { readonly round: number; readonly text: string; readonly expiresAtMs: number } | null
  /** The line to the network is cut until then. */
  readonly awayUntilMs: number
  readonly timers: readonly Timer[]
}

/** A moment at which the status changed. */
export interface Change {
  readonly link: Link
  readonly atMs: number
  /** The phone was linked just now, and sends its address book. */
  readonly linked: boolean
}

/** What the rules need beside the link: the present, the settings, and what chance would decide. */
export interface Environment {
  readonly nowMs: number
  readonly speed: number
  readonly autolink: boolean
  /** The phone that scans when the caller names none. */
  readonly ownPhone: string
  newQr(): string
}

export type SettledLink = { readonly link: Link; readonly changes: readonly Change[] }

const qrRounds = 6
const qrLastsMs = 60_000
const bootMs = 500
const connectMs = 800
const mishapAfterMs = 30_000
const dropLastsMs = 60_000
const flapUpMs = 15_000
const flapDownMs = 5000

export const unlinked: Link = {
  status: 'STOPPED',
  sequence: 0,
  reason: null,
  phone: null,
  qr: null,
  awayUntilMs: 0,
  timers: [],
}

/** The link with the sequence of its next report. */
export function nextReport(link: Link): Link {
  return { ...link, sequence: link.sequence + 1 }
}

/** When the link next changes by itself, or null. */
export function nextStepMs(link: Link): number | null {
  return link.timers.length === 0 ? null : Math.min(...link.timers.map((timer) => timer.atMs))
}

/** Executes the steps that are due, each at its own time. */
export function settle(link: Link, host: Environment): SettledLink {
  const changes: Change[] = []
  let current = link
  for (let steps = 0; steps < 1000; steps++) {
    const due = earliest(current.timers)
    if (!due || due.atMs > host.nowMs) break
    const before = current
    current = takeStep({ ...current, timers: current.timers.filter((timer) => timer !== due) }, due, host)
    if (current.status === before.status) continue
    current = nextReport(current)
    changes.push({ link: current, atMs: due.atMs, linked: due.step === 'connect' })
  }
  return { link: current, changes }
}

function earliest(timers: readonly Timer[]): Timer | undefined {
  return timers.reduce<Timer | undefined>(
    (first, timer) => (first && first.atMs <= timer.atMs ? first : timer),
    undefined,
  )
}

function takeStep(link: Link, timer: Timer, host: Environment): Link {
  const atMs = timer.atMs
  switch (timer.step) {
    case 'boot':
      return boot(link, atMs, host)
    case 'next_qr':
      return nextQr(link, atMs, host)
    case 'scan':
      return link.status === 'SCAN_QR_CODE' && timer.phone ? scanned(link, timer.phone, atMs, host) : link
    case 'connect':
      return { ...working(link), timers: mishaps(link.phone, atMs, host) }
    case 'drop':
      return dropped(link, atMs, special(link.phone) === '0194' ? flapDownMs : dropLastsMs, host)
    case 'return':
      return { ...working(link), timers: special(link.phone) === '0194' ? mishaps(link.phone, atMs, host) : [] }
    case 'phone_logs_out':
      return loggedOut(link, atMs, host)
  }
}

function boot(link: Link, atMs: number, host: Environment): Link {
  if (link.phone === null) {
    const requested = showQr({ ...link, reason: null }, 1, atMs, host)
    const scan: Timer = { step: 'scan', atMs: atMs + scaled(1000, host.speed), phone: host.ownPhone }
    return host.autolink ? { ...requested, timers: [...requested.timers, scan] } : requested
  }
  if (link.awayUntilMs > atMs) return { ...link, timers: [{ step: 'return', atMs: link.awayUntilMs }] }
  return { ...working(link), timers: special(link.phone) === '0194' ? mishaps(link.phone, atMs, host) : [] }
}

function nextQr(link: Link, atMs: number, host: Environment): Link {
  const round = (link.qr?.round ?? 0) + 1
  if (round <= qrRounds) return showQr(link, round, atMs, host)
  return { ...link, status: 'FAILED', reason: 'qr_expired', qr: null, timers: [] }
}

/** A QR code lives a minute of service time at every speed: people scan it, and they are not faster. */
function showQr(link: Link, round: number, atMs: number, host: Environment): Link {
  const expiresAtMs = atMs + qrLastsMs
  const others = link.timers.filter((timer) => timer.step === 'scan')
  return {
    ...link,
    status: 'SCAN_QR_CODE',
    qr: { round, text: host.newQr(), expiresAtMs },
    timers: [...others, { step: 'next_qr', atMs: expiresAtMs }],
  }
}

/** A person scans the code, or has typed the pairing code. The phone ..0192 is never linked. */
function scanned(link: Link, phone: string, atMs: number, host: Environment): Link {
  if (special(phone) === '0192') return link
  const connect: Timer = { step: 'connect', atMs: atMs + scaled(connectMs, host.speed) }
  return { ...link, status: 'STARTING', reason: null, phone, qr: null, awayUntilMs: 0, timers: [connect] }
}

function working(link: Link): Link {
  return { ...link, status: 'WORKING', reason: null, qr: null, awayUntilMs: 0, timers: [] }
}

function mishaps(phone: string | null, atMs: number, host: Environment): Timer[] {
  const after = (ms: number) => atMs + lasting(ms, host.speed)
  switch (special(phone)) {
    case '0190':
      return [{ step: 'drop', atMs: after(mishapAfterMs) }]
    case '0191':
      return [{ step: 'phone_logs_out', atMs: after(mishapAfterMs) }]
    case '0194':
      return [{ step: 'drop', atMs: after(flapUpMs) }]
    default:
      return []
  }
}

function dropped(link: Link, atMs: number, ms: number, host: Environment): Link {
  const awayUntilMs = atMs + lasting(ms, host.speed)
  const timers: Timer[] = [{ step: 'return', atMs: awayUntilMs }]
  return { ...link, status: 'STARTING', reason: 'connection_lost', awayUntilMs, timers }
}

function loggedOut(link: Link, atMs: number, host: Environment): Link {
  return showQr({ ...link, reason: 'logged_out', phone: null, awayUntilMs: 0, timers: [] }, 1, atMs, host)
}

function special(phone: string | null): string | null {
  return phone === null ? null : specialNumber(phone)
}

/** Makes one change now, and then whatever is due at once. */
function moved(before: Link, after: Link, host: Environment): SettledLink {
  if (after.status === before.status) return settle(after, host)
  const link = nextReport(after)
  const settled = settle(link, host)
  return { link: settled.link, changes: [{ link, atMs: host.nowMs, linked: false }, ...settled.changes] }
}

/** Starts a link that is stopped or has failed; any other is left as it is. */
export function start(link: Link, host: Environment): SettledLink {
  return link.status === 'STOPPED' || link.status === 'FAILED' ? restart(link, host, null) : { link, changes: [] }
}

/** Restarts the link and keeps the phone. A line that is cut stays cut. */
export function restart(link: Link, host: Environment, reason: Link['reason'] = 'reconnecting'): SettledLink {
  const boots: Timer = { step: 'boot', atMs: host.nowMs + scaled(bootMs, host.speed) }
  return moved(link, { ...link, status: 'STARTING', reason, qr: null, timers: [boots] }, host)
}

export function stop(link: Link, host: Environment): SettledLink {
  return moved(link, { ...link, status: 'STOPPED', reason: null, qr: null, timers: [] }, host)
}

/** Ends the link to the phone, from either side: the number shows a QR again, unless it is stopped. */
export function unlink(link: Link, host: Environment): SettledLink {
  if (link.phone === null) return { link, changes: [] }
  if (link.status === 'STOPPED') return { link: { ...link, phone: null, reason: 'logged_out' }, changes: [] }
  return moved(link, loggedOut(link, host.nowMs, host), host)
}

/** Scans the code with a phone; without effect in any other status than SCAN_QR_CODE. */
export function scan(link: Link, phone: string, host: Environment): SettledLink {
  return link.status === 'SCAN_QR_CODE'
    ? moved(link, scanned(link, phone, host.nowMs, host), host)
    : { link, changes: [] }
}

/** Cuts the line of a working link for `ms` of service time. */
export function drop(link: Link, ms: number, host: Environment): SettledLink {
  if (link.status !== 'WORKING') return { link, changes: [] }
  return moved(link, dropped(link, host.nowMs, ms, { ...host, speed: 0 }), host)
}

/** The owner of the phone types the pairing code, a little later. */
export function pair(link: Link, phone: string, host: Environment): SettledLink {
  const types: Timer = { step: 'scan', atMs: host.nowMs + scaled(3000, host.speed), phone }
  const timers = [...link.timers.filter((timer) => timer.step !== 'scan'), types]
  return moved(link, { ...link, timers }, host)
}
