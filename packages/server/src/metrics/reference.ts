import { Registry } from 'prom-client'
import { openMetrics } from './metrics.ts'

/** One metric of `GET /metrics`, as docs/metrics.md lists it. */
export interface MetricDescription {
  readonly name: string
  readonly type: string
  readonly labels: readonly string[]
  readonly meaning: string
}

/** Returns every metric of the service, read from the registry. The metrics of the Node process are not among them. */
export function metricsReference(): readonly MetricDescription[] {
  const registry = new Registry()
  const meters = openMetrics(registry)
  meters.watchDispatcher(() => 0)
  meters.watchJobs(() => new Map())
  return registry.getMetricsAsArray().map((metric) => {
    const { name, help, type } = metric
    return { name, type: String(type), labels: labelsOf(metric), meaning: help }
  })
}

/** prom-client keeps the names of the labels on the metric, but does not declare them. */
function labelsOf(metric: object): readonly string[] {
  const labels: unknown = Reflect.get(metric, 'labelNames')
  if (!Array.isArray(labels)) throw new Error('prom-client keeps the names of labels in another place now')
  return labels.map(String)
}
