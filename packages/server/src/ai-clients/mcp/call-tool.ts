import type { Callee } from '#api/http/call/callee.ts'
import type { Origin } from '#api/http/handler.ts'
import { toApiError } from '#api/http/map-error.ts'
import { validationError } from '#api/http/parse.ts'
import { parsePart } from '#api/http/part.ts'
import { createSleeper } from '#platform/concurrency/sleeper.ts'
import { idleWaitMs } from '#platform/db/wake.ts'
import { ApiError, apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { type ActionRow, findAction } from './approvals/action-store.ts'
import { beginAction, findEarlier, showAction, toApproval } from './approvals/actions.ts'
import type { AiCaller } from './caller.ts'
import { carryOut } from './carry-out.ts'
import { isReadOnlyRefused } from './catalogue.ts'
import { waitReason } from './sends/wait-reason.ts'
import type { McpSettings } from './settings-store.ts'
import type { RouteRef, Tool, ToolRights } from './tool.ts'

/** One request of an AI client, after its checks. */
export interface AiRequest {
  readonly services: Services
  readonly caller: AiCaller
  readonly rights: ToolRights
  readonly settings: McpSettings
  readonly from: Origin
  readonly signal: AbortSignal
  /** What pages for people begin with. */
  readonly origin: string
  /** Returns a route with its handler. */
  calleeOf(ref: RouteRef): Callee
}

/** What became of a call: an answer, an error, or an action that waits for a person. */
export type Outcome =
  | { readonly answer: Record<string, unknown>; readonly waiting?: ActionRow; readonly error?: never }
  | { readonly error: ApiError; readonly answer?: never; readonly waiting?: never }

/** Calls a tool: its arguments are checked, then its route is called as the caller. A failure is a result, too. */
export async function callTool(request: AiRequest, tool: Tool, args: unknown): Promise<Outcome> {
  try {
    requireScope(tool, request.rights)
    return await run(request, tool, parseArguments(tool, args))
  } catch (thrown) {
    const { log } = request.services
    const { requestId } = request.from
    return { error: thrown instanceof ApiError ? thrown : toApiError(thrown, { log, requestId, harmless: false }) }
  }
}

async function run(request: AiRequest, tool: Tool, args: Record<string, unknown>): Promise<Outcome> {
  if (tool.route === null) return { answer: await showAction(request, String(args.actionId)) }
  if (!tool.effect) return { answer: await carryOut(request, tool, args) }
  const earlier = await findEarlier(request, tool, args)
  if (earlier) return decided(request, earlier)
  const reason = await waitReason(request, tool, args)
  if (reason !== null) return decided(request, await beginAction(request, tool, args, reason))
  return { answer: await carryOut(request, tool, args) }
}

function decided(request: AiRequest, action: ActionRow): Outcome {
  const answer = toApproval(request, action)
  return action.state === 'pending' ? { answer, waiting: action } : { answer }
}

const decisionWaitMs = 20_000

/** Waits a while for the decision of a person who was sent to the page. Returns the action as it is then. */
export async function awaitDecision(request: AiRequest, action: ActionRow): Promise<Outcome> {
  const { db, wake } = request.services
  const until = performance.now() + decisionWaitMs
  const sleeper = createSleeper()
  const unsubscribe = wake.on('decisions', sleeper.wake)
  request.signal.addEventListener('abort', sleeper.wake, { once: true })
  try {
    for (;;) {
      const now = await findAction(db, action.organizationId, action.id)
      const isOpen = now?.state === 'pending' || now?.state === 'approved'
      const leftMs = request.signal.aborted ? 0 : until - performance.now()
      if (!now || !isOpen || leftMs <= 0) return decided(request, now ?? action)
      await sleeper.sleep(Math.min(leftMs, idleWaitMs(wake)))
    }
  } finally {
    unsubscribe()
    request.signal.removeEventListener('abort', sleeper.wake)
  }
}

function requireScope(tool: Tool, rights: ToolRights): void {
  if (isReadOnlyRefused(tool, rights)) {
    throw apiError('FORBIDDEN_ACTION', 'This client may only read: it was connected with readonly.', {
      reason: 'scope',
    })
  }
  if (rights.scopes.has(tool.scope)) return
  throw apiError('FORBIDDEN_ACTION', `This needs the scope ${tool.scope}, which this client was not given.`, {
    reason: 'scope',
  })
}

function parseArguments(tool: Tool, args: unknown): Record<string, unknown> {
  const { data, issues } = parsePart(tool.input, args ?? {}, 'arguments')
  if (issues.length > 0) throw validationError(issues)
  return data as Record<string, unknown>
}
