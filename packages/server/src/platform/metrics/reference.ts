import { Registry } from 'prom-client'
import { openMetrics } from './metrics.ts'

/** One metric of `GET /metrics`, as docs/run/metrics.md lists it. */
export interface MetricDescription {
  readonly name: string
  readonly type: string
  readonly labels: readonly string[]
  readonly meaning: string
}

/** Returns every metric of the service, read from the registry. The metrics of the Node process are not among them. */
export function metricsReference(): readonly MetricDescription[] {
  const registry = new Registry()
  const metrics = openMetrics(registry)
  metrics.watchDispatcher(() => 0)
  metrics.watchJobs(() => new Map())
  metrics.watchClock(() => 0)
  metrics.watchPayments()
  metrics.watchPool(() => ({ used: 0, idle: 0, waiting: 0 }))
  return registry.getMetricsAsArray().map((metric) => {
    const { name, help, type } = metric
    return { name, type: String(type), labels: readLabels(metric), meaning: help }
  })
}

/** prom-client keeps the names of the labels on the metric, but does not declare them. */
function readLabels(metric: object): readonly string[] {
  const labels: unknown = Reflect.get(metric, 'labelNames')
  if (!Array.isArray(labels)) throw new Error('prom-client no longer keeps the names of the labels in labelNames')
  return labels.map(String)
}
