// CPU time of this process and of the Postgres it started: the cost of a figure, independent of other load on the
// machine.
import { readdirSync, readFileSync } from 'node:fs'

/** @typedef {{ pid: number, name: string, parent: number, ticks: number }} Process */

/** Linux counts in hundredths of a second. */
const tickMs = 10

/** Milliseconds of CPU used so far by this process and all that descend from it; null where there is no /proc. */
export function cpuMs() {
  const own = process.cpuUsage()
  const others = descendants()
  return others && (own.user + own.system) / 1000 + sumOf(others)
}

/** The same, divided: Postgres, other processes that descend from this one, and this one itself. */
export function cpuMsByPart() {
  const own = process.cpuUsage()
  const others = descendants()
  if (others === null) return null
  /** @param {Process} one */
  const isPostgres = ({ name }) => name.startsWith('postgres')
  return {
    postgres: sumOf(others.filter(isPostgres)),
    others: sumOf(others.filter((one) => !isPostgres(one))),
    own: (own.user + own.system) / 1000,
  }
}

/** @param {Process[]} list */
const sumOf = (list) => list.reduce((sum, { ticks }) => sum + ticks, 0) * tickMs

/** Returns the processes that descend from this one; null where there is no /proc. */
function descendants() {
  const all = processes()
  if (all === null) return null
  const family = new Set([process.pid])
  for (let grown = true; grown; ) {
    const children = all.filter(({ pid, parent }) => family.has(parent) && !family.has(pid))
    for (const { pid } of children) family.add(pid)
    grown = children.length > 0
  }
  return all.filter(({ pid }) => pid !== process.pid && family.has(pid))
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

/**
 * A process that has ended since then is left out.
 * @param {string} pid
 * @returns {Process[]}
 */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before the last bracket may hold anything.
    const [open, close] = [stat.indexOf('('), stat.lastIndexOf(')')]
    const fields = stat.slice(close + 2).split(' ')
    // Its own time, and that of its children that have ended: Postgres closes connections while it is measured.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return [{ pid: Number(pid), name: stat.slice(open + 1, close), parent: Number(fields[1]), ticks }]
  } catch {
    return []
  }
}
