import type { OutputOf } from '@msgctl/contract'
import type { ListedCall } from '#ai-clients/mcp/call-store.ts'
import type { Services } from '#services.ts'
import { approvalPageUrl } from '#web/pages/ai-links.ts'
import type { ActionRow } from './action-store.ts'

type Action = OutputOf<'mcp', 'deny'>['action']
type Call = OutputOf<'mcp', 'calls'>['calls'][number]

/** Returns the client behind a call or an action, in words where it used a key. */
function toCaller({
  connectionId,
  clientName,
  credential,
}: Pick<ActionRow, 'connectionId' | 'clientName' | 'credential'>) {
  const key = credential.startsWith('number:') ? 'key of a number' : 'account key'
  return { id: connectionId, name: clientName ?? key }
}

/** Returns an action as people see it. */
export function toAction(config: Pick<Services['config'], 'links'>, action: ActionRow): Action {
  const { id, tool, summary, state, decidedBy, deciderName, result } = action
  return {
    id,
    tool,
    summary,
    state,
    approvalUrl: approvalPageUrl(config.links.publicUrl, id),
    requestedAt: action.requestedAt.toISOString(),
    expiresAt: action.expiresAt.toISOString(),
    connection: toCaller(action),
    decidedBy: decidedBy === null ? null : { id: decidedBy, name: deciderName ?? 'deleted person' },
    decidedAt: action.decidedAt?.toISOString() ?? null,
    result,
  }
}

/** Returns a call of a tool as people see it. */
export function callView(call: ListedCall): Call {
  const { id, at, tool, outcome, code, ms, phone } = call
  return { id: String(id), at: at.toISOString(), tool, connection: toCaller(call), outcome, code, ms, phone }
}
