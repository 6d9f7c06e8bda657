import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of a host. `sockets` returns the numbers by status. */
export function createHostMetrics(sockets: () => ReadonlyMap<string, number>) {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'gateway_sockets',
    help: 'Numbers of this host, by status',
    labelNames: ['status'],
    registers,
    collect() {
      this.reset()
      for (const [status, count] of sockets()) this.set({ status }, count)
    },
  })
  const commits = new Histogram({ name: 'gateway_commit_seconds', help: 'Duration of commits', buckets, registers })
  const failures = new Counter({ name: 'gateway_commit_failures_total', help: 'Commits that failed', registers })
  const fenced = new Counter({ name: 'gateway_fenced_total', help: 'Numbers that another host took over', registers })
  const calls = new Histogram({
    name: 'gateway_rpc_seconds',
    help: 'Duration of calls, by operation',
    labelNames: ['operation'],
    buckets,
    registers,
  })
  const refused = new Counter({
    name: 'gateway_refused_total',
    help: 'Calls that failed, by kind of failure',
    labelNames: ['kind'],
    registers,
  })
  const reconnects = new Counter({
    name: 'gateway_reconnects_total',
    help: 'Connections that ended, by reason',
    labelNames: ['reason'],
    registers,
  })
  const history = new Counter({
    name: 'gateway_history_failures_total',
    help: 'Batches of what phones shared that could not be stored',
    registers,
  })
  return {
    onHistoryFailed: () => history.inc(),
    commits: { observe: (seconds: number) => commits.observe(seconds), failed: () => failures.inc() },
    onReconnect: (reason: string) => reconnects.inc({ reason }),
    onFenced: () => fenced.inc(),
    onCall(operation: string, seconds: number, failure: string | null) {
      calls.observe({ operation }, seconds)
      if (failure !== null) refused.inc({ kind: failure })
    },
    text: () => registry.metrics(),
  }
}
