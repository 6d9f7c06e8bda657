import { normalizePhone } from '@msgctl/contract'
import type { AiRequest } from '#ai-clients/mcp/call-tool.ts'
import type { Tool } from '#ai-clients/mcp/tool.ts'
import { hasNumber } from '#ai-clients/oauth/number-store.ts'
import { answerCall, checkCall } from '#api/http/call/answer-call.ts'
import { apiError } from '#platform/errors.ts'
import { repeatsOthers } from './copied-text.ts'
import { hasWritten } from './known-people-store.ts'

/**
 * Returns why a person must decide about a call, or null. What would fail anyway is refused first: an unknown number or
 * campaign, invalid fields, a missing product. Throws ApiError.
 */
export async function waitReason(
  request: AiRequest,
  tool: Tool,
  args: Record<string, unknown>,
): Promise<string | null> {
  const { effect } = tool
  if (!effect || tool.route === null) return null
  const { caller, rights, services, settings } = request
  checkCall(request.calleeOf(tool.route(rights)), caller.identity, tool.toInput(args, rights))
  await requireNumber(request, args.containerId)
  if (effect.waits === 'always') {
    await requireCampaign(request, String(args.campaignId))
    return 'Campaigns always wait for a person.'
  }
  if (settings.approve === 'all') return 'The organization decides about every message of AI clients.'
  const recipient = String(effect.recipient(args))
  const phone = normalizePhone(recipient, { lid: true })
  const sender = caller.identity.caller
  if (phone === null || !(await hasWritten(services.db, sender.organizationId, phone))) {
    return 'This person has never written to the organization.'
  }
  if (await repeatsOthers(services.db, sender, phone, effect.text(args) ?? '')) {
    return 'The text repeats what this client read in the chat with another person.'
  }
  return null
}

/** Throws NOT_FOUND for a campaign that the caller does not have. */
async function requireCampaign({ caller, from, signal, calleeOf }: AiRequest, id: string): Promise<void> {
  const input = { params: { id }, query: {}, body: undefined }
  const call = { identity: caller.identity, input, key: null, countsAsChange: false, origin: from, signal }
  await answerCall(calleeOf(['campaigns', 'get']), call)
}

async function requireNumber({ services, caller, rights }: AiRequest, containerId: unknown): Promise<void> {
  if (typeof containerId !== 'string' || rights.containerId !== null) return
  if (await hasNumber(services.db, caller.identity.caller.organizationId, containerId)) return
  throw apiError('NOT_FOUND', 'There is no such number.')
}
