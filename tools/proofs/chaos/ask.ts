import { setTimeout as wait } from 'node:timers/promises'
import { isMessagingError, type MessagingClient } from '@msgctl/client'
import { sim } from '../../../packages/server/src/testing/sim.ts'
import type { ChaosEnvironment } from './environment.ts'

const defaultTimeoutMs = 120_000
/** Many callers retry while a part is down: they must not keep the machine from starting it. */
const pause = { firstMs: 50, longestMs: 500 }

/**
 * Repeats `work` until it succeeds; it fails while a part is down. Throws the last error after `timeoutMs` (default:
 * two minutes).
 */
export async function insistently<T>(
  what: string,
  work: (attempt: number) => Promise<T>,
  timeoutMs = defaultTimeoutMs,
): Promise<T> {
  for (let attempt = 0, until = performance.now() + timeoutMs; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      if (error instanceof Refused) throw error
      if (performance.now() > until)
        throw new Error(`${what} did not succeed in time: ${String(error)}`, { cause: error })
      await wait(Math.min(pause.longestMs, pause.firstMs * 2 ** attempt))
    }
  }
}

/** A response that no other attempt will change. */
class Refused extends Error {}

/** Calls the APIs in rotation until one responds. Throws a response that means more than that a part is down. */
export async function callApi<T>(
  { clients }: Pick<ChaosEnvironment, 'clients'>,
  what: string,
  call: (client: MessagingClient) => Promise<T>,
): Promise<T> {
  const first = nextApi++
  return insistently(what, (attempt) => {
    const client = clients[(first + attempt) % clients.length] as MessagingClient
    return call(client).catch((error: unknown) => {
      throw mayPass(error) ? error : new Refused(`${what} was refused: ${String(error)}`, { cause: error })
    })
  })
}

let nextApi = 0

/** Whether a later attempt may get another response. */
function mayPass(error: unknown): boolean {
  if (!isMessagingError(error)) return false
  if (error.status === undefined || error.status >= 500) return true
  return error.code === 'CONFLICT' && error.retryAfterMs !== undefined
}

/** Returns the code of the final response that {@link callApi} threw; undefined for anything else. */
export function refusalCode(error: unknown): string | undefined {
  const { cause } = error as Error
  return error instanceof Refused && isMessagingError(cause) ? cause.code : undefined
}

/** Operates the simulated network through one of the APIs, until it is done. */
export function operate<T>({ addresses }: Pick<ChaosEnvironment, 'addresses'>, call: string, body: object): Promise<T> {
  const first = nextApi++
  return insistently(call, (attempt) =>
    sim<T>({ address: addresses[(first + attempt) % addresses.length] as string }, call, body),
  )
}
