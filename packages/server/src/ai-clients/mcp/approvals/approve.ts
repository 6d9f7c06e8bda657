import type { AiRequest } from '#ai-clients/mcp/call-tool.ts'
import { calleesOf } from '#ai-clients/mcp/callees.ts'
import { carryOut } from '#ai-clients/mcp/carry-out.ts'
import { findTool } from '#ai-clients/mcp/catalogue.ts'
import { callerOf } from '#ai-clients/mcp/identity.ts'
import { requireEnabled, rightsOf } from '#ai-clients/mcp/rights.ts'
import { readSettings } from '#ai-clients/mcp/settings-store.ts'
import { authorize } from '#api/access/authorize.ts'
import type { Origin } from '#api/http/handler.ts'
import { toApiError } from '#api/http/map-error.ts'
import type { HandlerTable } from '#api/http/mount.ts'
import { ApiError, apiError } from '#platform/errors.ts'
import { workOn } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'
import { type ActionRow, finishAction, takeUnfinished } from './action-store.ts'
import { argumentsOf } from './actions.ts'

/**
 * Carries out an approved action as the client that began it, with every gate asked again, and stores what became of
 * it. A crash in between repeats it with the same idempotencyKey, so that it happens at most once.
 */
export async function carryOutAction(
  services: Services,
  handlers: HandlerTable,
  action: ActionRow,
  from: Origin,
): Promise<void> {
  const { organizationId, id } = action
  try {
    const result = await run(services, handlers, action, from)
    await finishAction(services.db, organizationId, { id, state: 'done', result })
  } catch (thrown) {
    const context = { log: services.log, requestId: from.requestId, harmless: false }
    const error = thrown instanceof ApiError ? thrown : toApiError(thrown, context)
    // The first attempt may still run, or is settled by the next one.
    if (isUndecided(error)) return
    await failAction(services, action, error)
  }
}

async function failAction({ db }: Services, { organizationId, id }: ActionRow, error: ApiError): Promise<void> {
  const { code, message, details } = error
  const result = { error: { code, message, ...(details && { details }) } }
  await finishAction(db, organizationId, { id, state: 'failed', result })
}

function isUndecided({ code, details }: ApiError): boolean {
  if (code === 'INTERNAL_ERROR' || code === 'SERVICE_BUSY') return true
  return (
    code === 'CONFLICT' && details !== undefined && 'reason' in details && details.reason === 'idempotency_in_progress'
  )
}

async function run(services: Services, handlers: HandlerTable, action: ActionRow, from: Origin) {
  const tool = findTool(action.tool)
  const args = argumentsOf(services, action)
  const caller = await callerOf(services.db, action)
  if (!caller) throw apiError('AUTH_ERROR', 'The client is no longer connected.', { reason: 'invalid_token' })
  if (!tool || !args) throw new Error(`the action ${action.id} cannot be carried out`)
  const settings = await readSettings(services.db, action.organizationId)
  requireEnabled(settings)
  authorize({ feature: 'inbox', keys: 'any' }, caller.identity)
  const rights = { ...rightsOf(caller, settings), isReadOnly: false }
  if (!rights.scopes.has(tool.scope)) {
    throw apiError('FORBIDDEN_ACTION', `The client lost the scope ${tool.scope}.`, { reason: 'scope' })
  }
  const request: AiRequest = {
    services,
    caller,
    rights,
    settings,
    from,
    signal: new AbortController().signal,
    origin: services.config.links.publicUrl,
    calleeOf: calleesOf(handlers, { services, strict: false }),
  }
  return carryOut(request, tool, args)
}

/** Actions that one run finishes at most. */
const batch = 20

/** Finishes approved actions whose process ended before they were carried out. */
export async function finishActions(services: Services, loadHandlers: () => Promise<HandlerTable>): Promise<void> {
  const unfinished = await takeUnfinished(services.db, batch)
  if (unfinished.length === 0) return
  const handlers = await loadHandlers()
  for (const action of unfinished) {
    const from = { ip: '', requestId: action.id, userAgent: null }
    await workOn(services, 'ai_actions', [action], {
      run: () => carryOutAction(services, handlers, action, from),
      setAside: () => failAction(services, action, apiError('INTERNAL_ERROR', 'The service could not carry it out.')),
    })
  }
}
