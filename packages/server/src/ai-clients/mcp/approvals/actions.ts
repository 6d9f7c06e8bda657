import { randomUUID } from 'node:crypto'
import { limits } from '@msgctl/contract'
import type { AiRequest } from '#ai-clients/mcp/call-tool.ts'
import type { Tool } from '#ai-clients/mcp/tool.ts'
import { byCredential, limitReached } from '#api/access/limit-key.ts'
import { hashInput } from '#api/idempotency/hash-input.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { approvalPageUrl } from '#web/pages/ai-links.ts'
import { type ActionRow, countPending, findAction, findByKey, insertAction, lockActions } from './action-store.ts'

/** Where the arguments of an action are stored, for their encryption. */
export function toArgumentsPlace(id: string) {
  return `mcp_actions:arguments:${id}` as const
}

function keyOf({ caller }: AiRequest, tool: Tool, args: Record<string, unknown>) {
  const { organizationId, credential } = caller.identity.caller
  return { organizationId, credential, tool: tool.name, idempotencyKey: String(args.idempotencyKey) }
}

/**
 * Returns the action that this client began with the same idempotencyKey, or undefined. Throws CONFLICT for other
 * arguments.
 */
export async function findEarlier(
  request: AiRequest,
  tool: Tool,
  args: Record<string, unknown>,
): Promise<ActionRow | undefined> {
  const found = await findByKey(request.services.db, keyOf(request, tool, args))
  if (!found || found.argumentsHash.equals(hashInput(args))) return found
  throw apiError('CONFLICT', 'This idempotencyKey was used with other arguments. Use a new one.', {
    reason: 'idempotency_mismatch',
  })
}

/** Stores a call that waits for a person. Throws RATE_LIMIT when too many of the client wait. */
export async function beginAction(
  request: AiRequest,
  tool: Tool,
  args: Record<string, unknown>,
  reason: string,
): Promise<ActionRow> {
  const { db, secrets } = request.services
  if (!secrets.available) {
    throw apiError('SECRETS_KEY_MISSING', 'Messages that wait for a person need SECRETS_KEYS on the server.')
  }
  const key = keyOf(request, tool, args)
  const id = randomUUID()
  return transaction(db, async (trx) => {
    await lockActions(trx, key.organizationId, key.credential)
    // Another request with the key may have been quicker.
    const earlier = await findByKey(trx, key)
    if (earlier) return earlier
    const { pending, nextSeconds } = await countPending(trx, key.organizationId, key.credential)
    if (pending >= limits.mcp.pendingActions) {
      throw limitReached(
        byCredential('waiting actions of an AI client', key),
        `${pending} actions of this client wait for a person already.`,
        {
          retryAfterSeconds: Math.max(1, nextSeconds),
          reason: 'too_many_pending',
        },
      )
    }
    await insertAction(trx, {
      ...key,
      id,
      connectionId: request.caller.connectionId,
      argumentsHash: hashInput(args),
      argumentsSealed: secrets.encrypt(JSON.stringify(args), toArgumentsPlace(id)),
      reason,
      summary: summaryOf(tool, args),
      seconds: limits.mcp.actionSeconds,
    })
    return (await findAction(trx, key.organizationId, id)) as ActionRow
  })
}

/** Returns what a call would do, in one line without the text. */
function summaryOf({ title, effect }: Tool, args: Record<string, unknown>): string {
  const recipient = effect?.recipient(args)
  if (recipient) return `${title} to ${recipient}`
  return typeof args.campaignId === 'string' ? `${title} ${args.campaignId}` : title
}

/** Returns the arguments of an action that has not ended. */
export function argumentsOf({ secrets }: Pick<Services, 'secrets'>, action: ActionRow): Record<string, unknown> | null {
  if (action.argumentsSealed === null) return null
  return JSON.parse(secrets.decrypt(action.argumentsSealed, toArgumentsPlace(action.id))) as Record<string, unknown>
}

const advice: Readonly<Record<ActionRow['state'], string>> = {
  pending: 'Show the approvalUrl to the user, who decides there. get_action returns what became of it.',
  approved: 'It was approved and is being carried out. get_action returns what became of it.',
  done: 'It was approved and carried out.',
  failed: 'It was approved, and failed.',
  denied: 'A person denied it. Do not try again unless the user asks for it.',
  expired: 'No person decided in time. To ask again, call the tool with a new idempotencyKey.',
}

/** Returns the answer of a call that waits, or that waited. */
export function toApproval(
  { origin }: Pick<AiRequest, 'origin'>,
  { id, state, expiresAt, result }: ActionRow,
): Record<string, unknown> {
  const approval = {
    actionId: id,
    state,
    approvalUrl: approvalPageUrl(origin, id),
    expiresAt: expiresAt.toISOString(),
    message: advice[state],
  }
  return state === 'done' ? { ...result, approval } : { approval }
}

/** Returns an action as get_action shows it to the client that began it. Throws NOT_FOUND. */
export async function showAction(
  { services, caller, origin }: AiRequest,
  id: string,
): Promise<Record<string, unknown>> {
  const { organizationId, credential } = caller.identity.caller
  const action = await findAction(services.db, organizationId, id)
  if (!action || action.credential !== credential)
    throw apiError('NOT_FOUND', 'There is no such action of this client.')
  return {
    actionId: action.id,
    tool: action.tool,
    state: action.state,
    approvalUrl: approvalPageUrl(origin, action.id),
    expiresAt: action.expiresAt.toISOString(),
    result: action.result,
  }
}
