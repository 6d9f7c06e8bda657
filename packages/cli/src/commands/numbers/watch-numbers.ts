import type { MessagingClient } from '@msgctl/client'
import type { NumberStatus } from '@msgctl/contract/states'
import type { Context } from '../../context.ts'
import { mayPass, type ReadOptions, readWithin } from '../../http/waiting.ts'

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

type Look = (options: ReadOptions) => Promise<readonly State[]>

const pollMs = 2_000

/** How to look at one number, or at all of them. The key of one number sees its own only. */
export function lookAt(context: Context, client: MessagingClient, containerId: string | undefined): Look {
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
export async function* changesOf(context: Context, look: Look, timeoutMs: number): AsyncGenerator<NumberChange> {
  const { world } = context
  const end = world.now() + timeoutMs
  const known = new Map<string, NumberStatus>()
  for (let isFirst = true; ; isFirst = false) {
    const states = await readWithin(context, end, look).catch((error: unknown) => {
      // What is watched is often down together with its service; the first look must succeed.
      if (isFirst || !mayPass(error)) throw error
      return []
    })
    for (const { containerId, label, status } of states) {
      const from = known.get(containerId) ?? null
      known.set(containerId, status)
      const at = new Date(world.now()).toISOString()
      if (from !== status) yield { at, containerId, label, from, status }
    }
    const leftMs = end - world.now()
    if (leftMs <= 0) return
    await world.wait(Math.min(pollMs, leftMs), world.signal)
    world.signal.throwIfAborted()
  }
}
