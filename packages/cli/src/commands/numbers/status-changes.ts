import type { MessagingClient } from '@msgctl/client'
import type { NumberStatus } from '@msgctl/contract/states'
import type { Context } from '../../context.ts'
import { isTransient, type ReadOptions, readWithin } from '../../http/polling.ts'

/** What is told about a number when its state changes. */
export interface NumberChange {
  readonly at: string
  readonly containerId: string
  readonly label: string | null
  /** Null at the first look. */
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

/** How to look at one number, or at all of them. The key of one number sees its own only. */
export function readNumbers(context: Context, client: MessagingClient, containerId: string | undefined): Snapshot {
  const ofNumber = context.target.credentials.apiKey?.startsWith('msn_') === true
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
 * The states there are, and each change of one from then on. Changes between two looks are seen as one. It ends when
 * `timeoutMs` are over, and throws when the person presses Ctrl-C or the service refuses.
 */
export async function* diffNumbers(context: Context, look: Snapshot, timeoutMs: number): AsyncGenerator<NumberChange> {
  const { host } = context
  const end = host.now() + timeoutMs
  const known = new Map<string, NumberStatus>()
  for (let isFirst = true; ; isFirst = false) {
    const states = await readWithin(context, end, look).catch((error: unknown) => {
      // What is watched is often down together with its service; the first look must succeed.
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
