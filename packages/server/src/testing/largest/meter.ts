import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { eventually } from '#testing/eventually.ts'

/** What a process did since it was asked last, in milliseconds and MiB. */
export interface Metered {
  readonly cpuMs: number
  /** The longest time between two ticks of the event loop. */
  readonly gapMs: number
  /** The longest such time in which the process itself worked: other work of the machine is left out. */
  readonly busyMs: number
  readonly rssMb: number
}

/** A meter in a process of its own. */
export interface Meter {
  /** What to start the process with. */
  readonly nodeArguments: readonly string[]
  /** Returns what the process did since the last call. */
  read(pid: number): Promise<Metered>
  close(): void
}

const heapMb = 384

/** What runs in the measured process: it writes its figures when it gets a signal, and begins again. */
const source = (file: string) => `
  import { writeFileSync } from 'node:fs'
  let at = performance.now(), cpu = process.cpuUsage(), begun = cpu, gapMs = 0, busyMs = 0, rss = 0, ticks = 0
  let reads = 0
  const ms = ({ user, system }) => (user + system) / 1000
  function tick() {
    const now = performance.now(), used = process.cpuUsage()
    const gap = now - at, busy = Math.min(gap, ms(used) - ms(cpu))
    at = now; cpu = used
    gapMs = Math.max(gapMs, gap); busyMs = Math.max(busyMs, busy)
    if (ticks++ % 10 === 0) rss = Math.max(rss, process.memoryUsage.rss())
  }
  setInterval(tick, 2).unref()
  process.on('SIGUSR2', () => {
    tick()
    const figures = { cpuMs: ms(cpu) - ms(begun), gapMs, busyMs, rssMb: rss / 2 ** 20, reads: ++reads }
    writeFileSync(${JSON.stringify(file)}, JSON.stringify(figures))
    begun = cpu; gapMs = 0; busyMs = 0; rss = 0
  })
`

/** Makes a meter for a process whose heap is as small as that of the smallest installation. */
export function openMeter(): Meter {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'meter-'))
  const file = path.join(folder, 'figures.json')
  let reads = 0
  return {
    nodeArguments: [
      `--max-old-space-size=${heapMb}`,
      `--import=data:text/javascript;base64,${Buffer.from(source(file)).toString('base64')}`,
    ],
    async read(pid) {
      process.kill(pid, 'SIGUSR2')
      reads += 1
      const figures = await eventually(
        async () => parse(file),
        (read) => read?.reads === reads,
      )
      if (!figures) throw new Error('the process writes no figures')
      return figures
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}

function parse(file: string): (Metered & { readonly reads: number }) | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // It is being written.
    return undefined
  }
}
