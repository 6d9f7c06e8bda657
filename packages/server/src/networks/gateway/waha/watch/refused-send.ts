import { GatewayError } from '@msgctl/network/errors'
import type { GatewaySession } from '@msgctl/network/session'
import * as z from 'zod'
import type { WahaContext } from '#networks/gateway/waha/context.ts'
import { account, messageCapping, reachoutTimelock } from '#networks/gateway/waha/envelope.ts'
import { sequenceOfResponse } from '#networks/gateway/waha/state.ts'
import { blockOf, newChatsOf } from './limits.ts'

const timeoutMs = 5000
const describedSession = z.object({ me: account })

/**
 * Returns the error for a send that the network refused with 463, which stands for two things: the account may begin no
 * new conversations, or it may not write to this person. Only a time lock that is active, or a quota that is used up,
 * concerns the whole account. `refused` is returned for everything else, also when the limits cannot be read.
 */
export async function explainRefusal(
  ctx: WahaContext,
  session: GatewaySession,
  refused: GatewayError,
): Promise<GatewayError> {
  const host = await ctx.hosts.find(session)
  if (!host) return refused
  const path = `/api/sessions/${session.containerId}`

  async function read<Schema extends z.ZodType>(schema: Schema, of: string): Promise<z.output<Schema> | undefined> {
    const call = { method: 'GET', path: path + of, timeoutMs } as const
    const response = host && (await ctx.client.call(host, call).catch(() => null))
    if (response) readAtMs = sequenceOfResponse(response)
    return schema.safeParse(response?.body).data
  }

  let readAtMs = 0
  const [lock, capping] = [await read(reachoutTimelock, '/timelock'), await read(messageCapping, '/capping')]
  // Servers of before August 2026 have no such routes.
  const known = lock && capping ? null : (await read(describedSession, ''))?.me
  const blockedUntil = blockOf(lock ?? known?.reachoutTimelock ?? null, readAtMs || ctx.clock.now().getTime())
  if (blockedUntil) return newChatsRefused(blockedUntil)
  const newChats = newChatsOf(capping ?? known?.messageCapping ?? null)
  const isCapped = newChats !== null && newChats.quota !== null && newChats.used >= newChats.quota
  return isCapped ? newChatsRefused(newChats.resetsAt) : refused
}

function newChatsRefused(until: Date | null): GatewayError {
  const sentence = 'The network lets this account begin no new conversations now.'
  return new GatewayError('new_chat_refused', sentence, {
    outcome: 'not_sent',
    ...(until === null ? {} : { blockedUntil: until }),
  })
}
