import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '#people/organizations/refusal.ts'
import type { Finding } from '#process/check/finding.ts'
import type { Pair } from './pair.ts'

/** What two numbers send and get from now on, as gateway hosts on this machine write it. */
interface KeptTrace {
  /** Writes it to the file, and says so. */
  write(pair: Pair): Finding
}

/**
 * Begins to keep the forms of stanzas that hosts write to `folder`, for `file`. Throws a Refusal without a folder:
 * hosts write them only if GATEWAY_TRACE is set, and to their own machine.
 */
export function keepTrace(folder: string | undefined, file: string): KeptTrace {
  if (folder === undefined || !existsSync(folder)) {
    throw new Refusal('Set GATEWAY_TRACE to the folder that the gateway host on this machine writes to.', 2)
  }
  const beganAt = new Date().toISOString()
  return {
    write({ number, peer }) {
      const lines = [
        ...linesOf(path.join(folder, `${number.containerId}.jsonl`), 'number'),
        ...linesOf(path.join(folder, `${peer.containerId}.jsonl`), 'peer'),
      ].filter(({ at }) => at >= beganAt)
      const text = lines.sort((a, b) => a.at.localeCompare(b.at)).map((line) => `${JSON.stringify(line)}\n`)
      writeFileSync(file, text.join(''), { mode: 0o600 })
      return { name: 'Trace', outcome: lines.length > 0 ? 'ok' : 'note', text: `${lines.length} stanzas in ${file}` }
    },
  }
}

function linesOf(file: string, side: 'number' | 'peer'): { readonly at: string }[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => ({ side, ...(JSON.parse(line) as { at: string }) }))
}
