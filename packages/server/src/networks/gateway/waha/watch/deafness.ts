import { GatewayError } from '@msgctl/network/errors'
import type { GatewaySession } from '@msgctl/network/session'
import * as z from 'zod'
import { parseChatId } from '#networks/gateway/waha/address.ts'
import type { WahaContext } from '#networks/gateway/waha/context.ts'
import type { Host } from '#networks/gateway/waha/hosts.ts'
import { claimQuiet, type Heard, releaseQuiet, writeHeard } from './watch-store.ts'

/** Webhooks of a number are recorded once in this time. */
const heardEverySeconds = 300
const quietForSeconds = 3600
/** A message that is newer than the last recorded webhook by more than this was reported by none. */
const missedAfterMs = (heardEverySeconds + 60) * 1000
/** Numbers of a host that one poll examines: each takes a call. */
const examined = 20
const newestChats = 20
const timeoutMs = 5000
const maxNumbers = 100_000

const overview = z.array(
  z
    .object({
      id: z.string().max(255),
      lastMessage: z.object({
        timestamp: z.number().min(0).max(1e11),
        fromMe: z.boolean().nullish(),
        body: z.string().nullish(),
        hasMedia: z.boolean().nullish(),
      }),
    })
    .nullable()
    .catch(null),
)

/** Creates the function that records the webhooks of numbers; `event` is the name that WAHA gives them. */
export function hearing({
  db,
  clock,
}: Pick<WahaContext, 'db' | 'clock'>): (session: GatewaySession, event: string) => Promise<void> {
  const recordedAtMs = { message: new Map<string, number>(), state: new Map<string, number>() }
  return async (session, event) => {
    const kind: Heard = event.startsWith('message') ? 'message' : 'state'
    const recorded = recordedAtMs[kind]
    const nowMs = clock.now().getTime()
    const knownMs = recorded.get(session.containerId)
    if (knownMs !== undefined && nowMs - knownMs < heardEverySeconds * 1000) return
    if (recorded.size >= maxNumbers) recorded.clear()
    recorded.set(session.containerId, nowMs)
    await writeHeard(db, session, { kind, everySeconds: heardEverySeconds })
  }
}

/**
 * Compares the chats of numbers that work and reported nothing for an hour with that silence, and restarts one that has
 * a newer message of a person: such a session emits no webhooks until then. One number of a host in a call, so that an
 * outage of our own does not restart all of them at once.
 */
export async function examineQuiet(ctx: WahaContext, host: Host): Promise<void> {
  const quiet = await claimQuiet(ctx.db, host.id, { forSeconds: quietForSeconds, limit: examined })
  for (const [n, session] of quiet.entries()) {
    const { since } = session
    if (since === null || !(await hasNewer(ctx, host, session, new Date(since.getTime() + missedAfterMs)))) continue
    if (!(await ctx.repairs.restartDeaf(session, !session.isBeyondRepair))) continue
    await releaseQuiet(ctx.db, quiet.slice(n + 1))
    return
  }
}

/** Whether a person wrote after `at`. Throws {@link GatewayError} when the host does not respond. */
async function hasNewer({ client }: WahaContext, host: Host, session: GatewaySession, at: Date): Promise<boolean> {
  const path = `/api/${session.containerId}/chats/overview?limit=${newestChats}`
  const response = await client.call(host, { method: 'GET', path, timeoutMs }).catch((error: unknown) => {
    if (error instanceof GatewayError && error.kind === 'session') return null
    throw error
  })
  const chats = overview.safeParse(response?.body).data ?? []
  return chats.some((chat) => {
    if (chat === null || parseChatId(chat.id) === null) return false
    const { timestamp, fromMe, body, hasMedia } = chat.lastMessage
    // Reactions and calls stand in chats and are reported by none of our webhooks.
    return !fromMe && Boolean(body || hasMedia) && timestamp * 1000 > at.getTime()
  })
}
