import { answerCall } from '#api/http/call/answer-call.ts'
import type { AiRequest } from './call-tool.ts'
import { noteTexts } from './sends/copied-text.ts'
import { withinSendLimit } from './sends/send-limit.ts'
import type { Tool } from './tool.ts'

/**
 * Calls the route of a tool as the caller, and counts it where it sends. Returns the answer of the tool. Throws
 * ApiError.
 */
export async function carryOut(
  request: AiRequest,
  tool: Tool,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { services, caller, rights, settings, from, signal, calleeOf } = request
  if (tool.route === null) throw new Error(`${tool.name} has no route`)
  const callee = calleeOf(tool.route(rights))
  const call = () =>
    answerCall(callee, {
      identity: caller.identity,
      input: tool.toInput(args, rights),
      key: toKey(args),
      countsAsChange: !tool.hints.readOnlyHint,
      origin: from,
      signal,
    })
  const isSend = tool.effect !== undefined && tool.effect.waits !== 'always'
  const answered = isSend
    ? await withinSendLimit(services.db, caller.identity.caller, settings.sendsPerHour, call)
    : await call()
  const answer = tool.toAnswer(answered.body as never)
  if (tool.hints.readOnlyHint) await noteTexts(services.db, caller.identity.caller, answer)
  return answer
}

/** Returns the Idempotency-Key of a call; that of a tool never meets one of the same caller over HTTP. */
function toKey({ idempotencyKey }: Record<string, unknown>): string | null {
  return typeof idempotencyKey === 'string' ? `mcp:${idempotencyKey}` : null
}
