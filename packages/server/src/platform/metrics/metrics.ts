import type { GuardRule } from '@msgctl/contract'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type PaymentMetrics, paymentMetrics } from './payment-metrics.ts'
import { type ProcessMetrics, processMetrics } from './process-metrics.ts'
import { version } from './version.ts'

/** How a run of a periodic job ended. */
type JobOutcome = 'succeeded' | 'failed'

/** Creates the metrics of periodic jobs. Returns the function that counts a run. */
function jobMetrics(registry: Registry): (job: string, outcome: JobOutcome) => void {
  const registers = [registry]
  const runs = new Counter({
    name: 'msgctl_job_runs_total',
    help: 'Runs of periodic jobs in this process, by job and outcome.',
    labelNames: ['job', 'outcome'],
    registers,
  })
  const last = (outcome: JobOutcome, words: string) =>
    new Gauge({
      name: `msgctl_job_last_${outcome === 'failed' ? 'failure' : 'success'}_timestamp_seconds`,
      help: `When a run of each periodic job last ${words} in this process, in Unix time.`,
      labelNames: ['job'],
      registers,
    })
  const ends = { succeeded: last('succeeded', 'succeeded'), failed: last('failed', 'failed') }
  return (job, outcome) => {
    runs.inc({ job, outcome })
    ends[outcome].setToCurrentTime({ job })
  }
}

/** The outcome of one attempt to send a message. `retried` and `released` messages return to the queue. */
type SendOutcome = 'sent' | 'retried' | 'released' | 'unknown' | 'failed'

/** The outcome of one webhook attempt. `dropped` is the last attempt of a delivery that failed. */
type AttemptOutcome = 'delivered' | 'refused' | 'unanswered' | 'dropped'

/** The figures of the whole service, read from the database for `GET /metrics`. */
export interface ServiceSnapshot {
  /** Messages by status, in all organizations. */
  readonly messages: Readonly<Record<string, number>>
  /** For how many seconds the longest waiting lane has been due. */
  readonly queuedOverdueSeconds: number
  /** For how many seconds the lease of the oldest claimed message has been expired. */
  readonly sendingOverdueSeconds: number
  readonly numbers: Readonly<Record<string, number>>
  /** Numbers that are FAILED, by the reason that their network gave. */
  readonly numbersFailed: Readonly<Record<string, number>>
  /** Counted up to a bound. */
  readonly deliveriesPending: number
  readonly deliveriesOverdueSeconds: number
  /** How long the oldest report of a network has waited. */
  readonly reportsWaitingSeconds: number
  readonly reportsSetAside: number
  /** Items that ended process after process, by kind, until they are dismissed or expire. */
  readonly setAside: Readonly<Record<string, number>>
  /** Sessions of people that have not ended, counted up to a bound. */
  readonly sessions: number
}

/** The metrics of one process, kept in memory: counting needs no query and never fails. */
export interface Metrics extends ProcessMetrics, PaymentMetrics {
  /** Counts a request. `route` is the template of the contract; null if no route matched. */
  requestServed(route: string | null, status: number, seconds: number): void
  messageSent(via: 'queue' | 'direct', outcome: SendOutcome, count?: number): void
  /** Counts a message that a guard rule holds, each time that it is held. */
  messageHeld(rule: GuardRule): void
  /** Counts received messages by their kind, each once. */
  messageReceived(kind: string, count?: number): void
  webhookAttempted(outcome: AttemptOutcome, seconds: number): void
  /** Counts a session of a WAHA server that showed that it works, did not, and was restarted. */
  sessionRestarted(reason: 'deaf' | 'refusing'): void
  /** Sets the gauges of the whole service. With null, when the database could not be read, they are left out. */
  setGauges(figures: ServiceSnapshot | null): void
  /** Calls `read` at every scrape for the seconds since the dispatcher of this process last polled. */
  watchDispatcher(read: () => number): void
  /** Counts a run of a periodic job. */
  jobEnded(job: string, outcome: JobOutcome): void
  /** Calls `read` at every scrape for the seconds since each periodic job last ended. */
  watchJobs(read: () => ReadonlyMap<string, number>): void
  /** Adds the default metrics of a Node process: memory, event loop, garbage collection. */
  watchProcess(): void
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<{ readonly type: string; readonly body: string }>
}

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]
const attemptSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Creates the metrics of a process. Every label has few values, never a path, an organization or a number. */
export function openMetrics(registry = new Registry()): Metrics {
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })
  const requests = counter('msgctl_http_requests_total', 'HTTP requests, by route template and status.', [
    'route',
    'status',
  ])
  const durations = histogram(
    'msgctl_http_request_duration_seconds',
    'Duration of HTTP requests in seconds.',
    ['route'],
    requestSeconds,
  )
  const sends = counter('msgctl_sends_total', 'Attempts to send a message, by path (queue or direct) and outcome.', [
    'via',
    'outcome',
  ])
  const holds = counter('msgctl_guard_holds_total', 'Times that a guard rule held a message, by rule.', ['rule'])
  const received = counter('msgctl_inbound_total', 'Received messages, by kind.', ['kind'])
  const restarts = counter(
    'msgctl_waha_restarts_total',
    'Sessions of WAHA servers that were restarted because they reported nothing (deaf) or refused every message ' +
      '(refusing).',
    ['reason'],
  )
  const attempts = counter('msgctl_webhook_attempts_total', 'Attempts to deliver a webhook, by outcome.', ['outcome'])
  const attemptDurations = histogram(
    'msgctl_webhook_attempt_duration_seconds',
    'Duration of webhook attempts in seconds.',
    ['outcome'],
    attemptSeconds,
  )
  const setGauges = snapshotGauges(registry)
  new Gauge({
    name: 'msgctl_info',
    help: 'Always 1; the label is the version of this process.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  // Finding a series by its labels costs as much as the rest of a count, and a process makes thousands of attempts a
  // second.
  const attemptSeries = new Map<AttemptOutcome, { count: Counter.Internal; time: Histogram.Internal<string> }>()

  function findAttemptSeries(outcome: AttemptOutcome) {
    const known = attemptSeries.get(outcome)
    if (known) return known
    const series = { count: attempts.labels(outcome), time: attemptDurations.labels(outcome) }
    attemptSeries.set(outcome, series)
    return series
  }

  return {
    requestServed(route, status, seconds) {
      const named = route ?? 'none'
      requests.inc({ route: named, status: String(status) })
      durations.observe({ route: named }, seconds)
    },
    messageSent: (via, outcome, count = 1) => sends.inc({ via, outcome }, count),
    messageReceived: (kind, count = 1) => received.inc({ kind }, count),
    messageHeld: (rule) => holds.inc({ rule }),
    sessionRestarted: (reason) => restarts.inc({ reason }),
    webhookAttempted(outcome, seconds) {
      const { count, time } = findAttemptSeries(outcome)
      count.inc()
      time.observe(seconds)
    },
    setGauges,
    ...processMetrics(registry),
    ...paymentMetrics(registry),
    watchDispatcher(read) {
      new Gauge({
        name: 'msgctl_dispatcher_last_poll_age_seconds',
        help: 'Seconds since the dispatcher of this process last polled.',
        registers,
        collect() {
          this.set(read())
        },
      })
    },
    jobEnded: jobMetrics(registry),
    watchJobs(read) {
      new Gauge({
        name: 'msgctl_job_last_end_age_seconds',
        help: 'Seconds since each periodic job last ended in any process, or last had nothing to do.',
        labelNames: ['job'],
        registers,
        collect() {
          for (const [job, seconds] of read()) this.set({ job }, seconds)
        },
      })
    },
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  }
}

/** The gauges of the whole service. Every process exports the same values: take the maximum, not the sum. */
function snapshotGauges(registry: Registry): Metrics['setGauges'] {
  const registers = [registry]
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const up = gauge(
    'msgctl_database_up',
    '1 if the gauges of the whole service could be read from the database, otherwise 0.',
  )
  const messages = gauge('msgctl_messages', 'Messages of the whole service, by status.', ['status'])
  const overdue = gauge(
    'msgctl_messages_overdue_seconds',
    'Seconds by which the oldest queued or sending message is overdue.',
    ['status'],
  )
  const numbers = gauge('msgctl_numbers', 'Numbers of the whole service, by status.', ['status'])
  const failed = gauge('msgctl_numbers_failed', 'Numbers of the whole service that are FAILED, by reason.', ['reason'])
  const pending = gauge(
    'msgctl_webhook_deliveries_pending',
    'Webhook deliveries that are waiting, counted up to 100,000.',
  )
  const late = gauge(
    'msgctl_webhook_deliveries_overdue_seconds',
    'Seconds by which the oldest webhook delivery is overdue.',
  )

  const waiting = gauge(
    'msgctl_network_reports_waiting_seconds',
    'Seconds for which the oldest report of a chat network has waited to be handled.',
  )
  const aside = gauge(
    'msgctl_network_reports_set_aside',
    'Reports of chat networks that could not be handled, of the last week.',
  )
  const setAside = gauge(
    'msgctl_set_aside',
    'Items that are not worked on any more, because process after process died with them, by kind.',
    ['kind'],
  )
  const sessions = gauge('msgctl_sessions', 'Sessions of people that have not ended, counted up to 100,000.')

  return (figures) => {
    for (const one of [messages, overdue, numbers, failed, pending, late, waiting, aside, setAside, sessions])
      one.reset()
    up.set(figures ? 1 : 0)
    if (!figures) {
      for (const one of [pending, late, waiting, aside, sessions]) one.remove()
      return
    }
    for (const [status, count] of Object.entries(figures.messages)) messages.set({ status }, count)
    overdue.set({ status: 'queued' }, figures.queuedOverdueSeconds)
    overdue.set({ status: 'sending' }, figures.sendingOverdueSeconds)
    for (const [status, count] of Object.entries(figures.numbers)) numbers.set({ status }, count)
    for (const [reason, count] of Object.entries(figures.numbersFailed)) failed.set({ reason }, count)
    pending.set(figures.deliveriesPending)
    late.set(figures.deliveriesOverdueSeconds)
    waiting.set(figures.reportsWaitingSeconds)
    aside.set(figures.reportsSetAside)
    for (const [kind, count] of Object.entries(figures.setAside)) setAside.set({ kind }, count)
    sessions.set(figures.sessions)
  }
}
