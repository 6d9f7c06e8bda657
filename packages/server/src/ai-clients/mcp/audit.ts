import { insertCall } from './call-store.ts'
import type { AiRequest, Outcome } from './call-tool.ts'
import type { Tool } from './tool.ts'

/** Stores that a tool was called, without its texts. */
export async function recordCall(
  { services, caller }: AiRequest,
  tool: Tool,
  args: unknown,
  { error, waiting, ms }: Pick<Outcome, 'error' | 'waiting'> & { readonly ms: number },
): Promise<void> {
  const { organizationId, credential } = caller.identity.caller
  await insertCall(services.db, {
    organizationId,
    connectionId: caller.connectionId,
    credential,
    tool: tool.name,
    outcome: waiting ? 'waiting' : error ? 'failed' : 'ok',
    code: error?.code ?? null,
    ms: Math.round(ms),
    phone: maskPhone(args),
  })
}

/** Returns the last four digits of the person that a call is about, or null. */
function maskPhone(args: unknown): string | null {
  if (typeof args !== 'object' || args === null || !('phone' in args) || typeof args.phone !== 'string') return null
  const digits = args.phone.replace(/\D/g, '').slice(-4)
  return digits.length === 4 ? `…${digits}` : null
}
