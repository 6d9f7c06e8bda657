import type { Identity } from '#api/access/authenticate.ts'
import { authorize } from '#api/access/authorize.ts'
import { parseInput, type RawInput } from '#api/http/parse.ts'
import { Replay, readKey } from '#api/idempotency/idempotency.ts'
import type { Source } from './call.ts'
import {
  admitCaller,
  bodyOf,
  type Callee,
  openCall,
  refusalOf,
  requireUsedKey,
  runHandler,
  withoutContainerId,
} from './callee.ts'

/** A call of a route from inside the process, as an authenticated caller. */
export interface InnerCall extends Pick<Source, 'origin' | 'signal'> {
  readonly identity: Identity
  readonly input: RawInput
  readonly key: string | null
  /** Whether it counts toward the organization's changes per minute. */
  readonly countsAsChange: boolean
}

/** The response to such a call. */
export interface Answered {
  readonly body: unknown
  /** Whether it is the response to an earlier call with the same key. */
  readonly replayed: boolean
}

/**
 * Calls a route through the checks of a request over HTTP, in the same order: gate, limit of changes, input,
 * idempotency, handler, validation of the response. Throws the ApiError that the route would respond with.
 */
export async function answerCall(callee: Callee, call: InnerCall): Promise<Answered> {
  const state = { isHanded: false }
  try {
    return await run(callee, call, state)
  } catch (thrown) {
    if (thrown instanceof Replay) return { body: thrown.body, replayed: true }
    const harmless = !state.isHanded || callee.rules.route.endpoint.startsWith('GET ')
    throw refusalOf(callee, thrown, { requestId: call.origin.requestId, harmless })
  }
}

async function run(callee: Callee, call: InnerCall, state: { isHanded: boolean }): Promise<Answered> {
  const { route } = callee.rules
  const { key, faults } = readKey(route.idempotent ? (call.key ?? undefined) : undefined)
  await admitCaller(callee, call.identity, call.countsAsChange, () => {})
  const caller = { ...call.identity.caller, origin: call.origin }
  const own = caller.containerId ? withoutContainerId : (input: unknown) => input
  const { params, query, body } = call.input
  const input = parseInput(route, { params, query: own(query) as typeof query, body: own(body) }, faults)
  const opened = await openCall(callee, { ...call, lastEventId: null }, { key, caller, input })
  state.isHanded = true
  const result = await runHandler(callee, opened)
  requireUsedKey(callee, opened)
  return { body: bodyOf(callee, result), replayed: opened.idempotency.earlierMessageId !== null }
}

/** Checks the gate and the input of a call without making it. Throws the ApiError that the route would respond with. */
export function checkCall({ rules: { route } }: Callee, identity: Identity, input: RawInput): void {
  authorize(route.access, identity)
  parseInput(route, input, [])
}
