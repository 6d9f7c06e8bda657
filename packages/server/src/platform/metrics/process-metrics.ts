import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** The connections of a pool to the database, and the tasks that wait for one. */
interface PoolFigures {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

/** What one process counts of waiting messages, people and streams. */
export interface ProcessMetrics {
  /** Observes how long after its due time a queued message was handed to the network. */
  messageHanded(type: string, seconds: number): void
  /** Counts a refused sign-in, by its error code. */
  signInRefused(reason: string): void
  /** Counts an open stream, by its route. Returns the function that counts its end. */
  streamOpened(route: string): () => void
  /** Calls `read` at every scrape for the pool of this process. */
  watchPool(read: () => PoolFigures): void
  /** Calls `read` at every scrape for the seconds by which the clock of this machine is ahead of the database's. */
  watchClock(read: () => number): void
}

const waitSeconds = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200]

/** Creates these metrics in a registry. */
export function processMetrics(registry: Registry): ProcessMetrics {
  const registers = [registry]
  const waits = new Histogram({
    name: 'msgctl_message_wait_seconds',
    help:
      'Seconds between the due time of a queued message and its hand-over to the network, by type. The pace of ' +
      'the number is part of it.',
    labelNames: ['type'],
    buckets: waitSeconds,
    registers,
  })
  const refusals = new Counter({
    name: 'msgctl_sign_in_refused_total',
    help: 'Refused sign-ins of people, by error code.',
    labelNames: ['reason'],
    registers,
  })
  const streams = new Gauge({
    name: 'msgctl_streams_open',
    help: 'Event streams that are open in this process, by route template.',
    labelNames: ['route'],
    registers,
  })
  // Finding a series by its labels costs as much as the observation.
  const waitSeries = new Map<string, Histogram.Internal<'type'>>()
  return {
    messageHanded(type, seconds) {
      const series = waitSeries.get(type) ?? waits.labels(type)
      waitSeries.set(type, series)
      series.observe(Math.max(0, seconds))
    },
    signInRefused: (reason) => refusals.inc({ reason }),
    streamOpened(route) {
      streams.inc({ route })
      return () => streams.dec({ route })
    },
    watchPool(read) {
      new Gauge({
        name: 'msgctl_database_pool',
        help: 'Connections of the pool of this process that are used and idle, and tasks that wait for one.',
        labelNames: ['state'],
        registers,
        collect() {
          for (const [state, count] of Object.entries(read())) this.set({ state }, count)
        },
      })
    },
    watchClock(read) {
      new Gauge({
        name: 'msgctl_clock_ahead_seconds',
        help:
          'Seconds by which the clock of the machine of this process is ahead of that of the database; negative when ' +
          'it is behind.',
        registers,
        collect() {
          this.set(read())
        },
      })
    },
  }
}
