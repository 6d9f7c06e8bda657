/** Returns the value of a metric without labels, or with exactly these. Throws an Error for one that is missing. */
function figureOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find((one) => one.startsWith(`${name} `))
  if (line === undefined) throw new Error(`the host has no metric ${name}`)
  return Number(line.slice(name.length + 1))
}

/** What a host uses. */
export interface HostUse {
  readonly residentMb: number
  readonly heapMb: number
  readonly handles: number
  readonly files: number
  readonly cpuSeconds: number
}

/** Reads what a host uses from its metrics. */
export function useOf(metrics: string): HostUse {
  const mb = (name: string) => Math.round(figureOf(metrics, name) / 1_048_576)
  return {
    residentMb: mb('process_resident_memory_bytes'),
    heapMb: mb('nodejs_heap_size_used_bytes'),
    handles: figureOf(metrics, 'nodejs_active_handles_total'),
    files: figureOf(metrics, 'process_open_fds'),
    cpuSeconds: figureOf(metrics, 'process_cpu_seconds_total'),
  }
}

/** Returns what several hosts use together. */
export function totalOf(uses: readonly HostUse[]): HostUse {
  const sum = (name: keyof HostUse) => uses.reduce((total, use) => total + use[name], 0)
  return {
    residentMb: sum('residentMb'),
    heapMb: sum('heapMb'),
    handles: sum('handles'),
    files: sum('files'),
    cpuSeconds: sum('cpuSeconds'),
  }
}
