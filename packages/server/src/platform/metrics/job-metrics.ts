import { Counter, Gauge, type Registry } from 'prom-client'

/** How a run of a periodic job ended. */
export type JobOutcome = 'succeeded' | 'failed'

/** Creates the metrics of periodic jobs. Returns the function that counts a run. */
export function jobMetrics(registry: Registry): (job: string, outcome: JobOutcome) => void {
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
