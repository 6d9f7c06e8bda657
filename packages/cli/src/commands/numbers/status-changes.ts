import type { MessagingClient } from '@msgctl/client'
import type { NumberStatus } from '@msgctl/contract/states'
import { isNumberKey } from '../../config/target.ts'
import type { Context } from '../../context.ts'
import { isTransient, type ReadOptions, readWithin } from '../../http/polling.ts'

/** A status change of a number. */
export interface NumberChange {
  readonly at: string
  readonly containerId: string
  readonly label: string | null
  /** Null for the first status. */
  readonly from: NumberStatus | null
  readonly status: NumberStatus
}

interface State {
  readonly containerId: string
  readonly label: string | null
  readonly status: NumberStatus
}

type Snapshot = (options: ReadOptions) => Promise<readonly State[]>

const pollMs = 2_000

/** Returns a function that reads the status of one number or of all. The key of a number reads only its own. */
export function readNumbers(context: Context, client: MessagingClient, containerId: string | undefined): Snapshot {
  const ofNumber = isNumberKey(context.target.credentials.apiKey)
  if (containerId !== undefined || ofNumber) {
    return async (options) => {
      const state = await client.numbers.status(containerId === undefined ? {} : { containerId }, options)
      return [{ containerId: state.containerId, label: null, status: state.status }]
    }
  }
  return async (options) => {
    const { sessions } = await client.numbers.list({}, options)
    return sessions.map(({ id, label, status }) => ({ containerId: id, label, status }))
  }
}

/**
 * Yields the current status of each number and every later change. Changes between two polls count as one. Ends after
 * `timeoutMs`, and throws on Ctrl-C or when the service rejects a read.
 */
export async function* diffNumbers(context: Context, read: Snapshot, timeoutMs: number): AsyncGenerator<NumberChange> {
  const { host } = context
  const end = host.now() + timeoutMs
  const known = new Map<string, NumberStatus>()
  for (let isFirst = true; ; isFirst = false) {
    const states = await readWithin(context, end, read).catch((error: unknown) => {
      // The service may be down as well; only the first read must succeed.
      if (isFirst || !isTransient(error)) throw error
      return []
    })
    for (const { containerId, label, status } of states) {
      const from = known.get(containerId) ?? null
      known.set(containerId, status)
      const at = new Date(host.now()).toISOString()
      if (from !== status) yield { at, containerId, label, from, status }
    }
    const leftMs = end - host.now()
    if (leftMs <= 0) return
    await host.wait(Math.min(pollMs, leftMs), host.signal)
    host.signal.throwIfAborted()
  }
}
