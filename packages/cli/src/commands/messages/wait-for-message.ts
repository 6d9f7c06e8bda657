import type { MessagingClient } from '@msgctl/client'
import { hasReached } from '@msgctl/contract/states'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { isTransient, type ReadOptions, readWithin } from '../../http/polling.ts'

/** The goals of `send --wait`. */
export const waitGoals = ['sent', 'delivered', 'read'] as const
export type WaitGoal = (typeof waitGoals)[number]

/** A message as the service returns it. */
export type Message = Awaited<ReturnType<MessagingClient['messages']['get']>>['message']
type Read = (options: ReadOptions) => Promise<Message>

/** How the wait ended, and the message as last read. */
export type Waited =
  | { readonly end: 'reached' | 'failed'; readonly message: Message }
  | { readonly end: 'timed out'; readonly message: Message | undefined }

const firstPauseMs = 200
const longestPauseMs = 2_000

async function readAgain(context: Context, endMs: number, read: Read): Promise<Message | undefined> {
  try {
    return await readWithin(context, endMs, read)
  } catch (error) {
    if (!isTransient(error)) throw error
    return undefined
  }
}

/**
 * Polls the message until it has reached `goal`, has failed, or `timeoutMs` have passed. Polling is used instead of the
 * event stream because a receipt may arrive before the stream is open, and not every key may open one. It notes each
 * status but `known`, which the caller has noted.
 */
export async function waitForMessage(
  context: Context,
  read: Read,
  { goal, timeoutMs, known }: { readonly goal: WaitGoal; readonly timeoutMs: number; readonly known: string },
): Promise<Waited> {
  const { host } = context
  const end = host.now() + timeoutMs
  let last: Message | undefined
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
    const message = await readAgain(context, end, read)
    if (message && message.status !== (last?.status ?? known)) context.note(message.status)
    last = message ?? last
    if (message && hasReached(message.status, goal)) return { end: 'reached', message }
    if (message?.status === 'failed') return { end: 'failed', message }
    const left = end - host.now()
    if (left <= 0) return { end: 'timed out', message: last }
    await host.wait(Math.min(pauseMs, left), host.signal)
    host.signal.throwIfAborted()
  }
}

/** The exit code for each end of the wait. */
export const waitExitCodes = {
  reached: exitCodes.ok,
  failed: exitCodes.waitFailed,
  'timed out': exitCodes.waitTimedOut,
} as const
