// CPU time of this process and of the Postgres it started: the cost of a figure, independent of other load on the machine.
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const tickMs = 10

/** Milliseconds of CPU used so far by this process and all that descend from it; null where there is no /proc. */
export function cpuMs() {
  const own = process.cpuUsage()
  const all = processes()
  if (all === null) return null
  const family = new Set([process.pid])
  for (let grown = true; grown; ) {
    const children = all.filter(({ pid, parent }) => family.has(parent) && !family.has(pid))
    for (const { pid } of children) family.add(pid)
    grown = children.length > 0
  }
  const others = all.filter(({ pid }) => pid !== process.pid && family.has(pid))
  return (own.user + own.system) / 1000 + others.reduce((sum, { ticks }) => sum + ticks, 0) * tickMs
}

function processes() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(statOf)
  } catch {
    return null
  }
}

/** A process that has ended since then is left out. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before the last bracket may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }]
  } catch {
    return []
  }
}
