import { GatewayError } from '@msgctl/network/errors'
import type { Driver } from '@msgctl/network/gateway'
import type { GatewaySession, Json, SessionState } from '@msgctl/network/session'
import * as z from 'zod'
import type { WahaCall, WahaResponse } from './client.ts'
import type { WahaContext } from './context.ts'
import { account, subscribedEvents } from './envelope.ts'
import type { Host } from './hosts.ts'
import { readPasskey } from './passkey.ts'
import { type KnownState, readKnown, writeRead } from './session-store.ts'
import { type ResponseTime, sequenceOfResponse, toSessionState, toStatus } from './state.ts'

/** Everything about the sessions themselves: they are created, started, linked and ended here. */
export type SessionCalls = Pick<
  Driver,
  | 'ensure'
  | 'start'
  | 'stop'
  | 'restart'
  | 'logout'
  | 'remove'
  | 'state'
  | 'qr'
  | 'pairingCode'
  | 'passkey'
  | 'confirmLink'
>

/** The retries of a webhook: WAHA gives up after about a day. */
const retries = { policy: 'exponential', delaySeconds: 2, attempts: 15 } as const
const slowCallMs = 20_000
/** WAHA shows the first QR for a minute and each further one for 20 s. */
const qrLastsMs = 20_000

const config = z.object({
  webhooks: z
    .array(z.object({ url: z.string(), hmac: z.object({ key: z.string().nullish() }).nullish() }))
    .nullish()
    .catch(null),
  ignore: z.record(z.string(), z.boolean().nullish()).nullish().catch(null),
})
const sessionInfo = z.object({
  status: z.string(),
  me: account,
  config: config.nullish().catch(null),
})
type SessionInfo = z.infer<typeof sessionInfo>

/** The path of a session. */
function sessionPath({ containerId }: GatewaySession): string {
  return `/api/sessions/${containerId}`
}

/** Creates the calls about sessions. */
export function sessionCalls(ctx: WahaContext): SessionCalls {
  const { client, hosts, cache } = ctx

  /** Reads a session; null when WAHA does not know it. */
  async function find(host: Host, session: GatewaySession): Promise<(SessionInfo & ResponseTime) | null> {
    const response = await unlessUnknown(client.call(host, { method: 'GET', path: sessionPath(session) }))
    if (response === null) return null
    const parsed = sessionInfo.safeParse(response.body)
    if (!parsed.success) throw unreadable()
    return { ...parsed.data, date: response.date, tookMs: response.tookMs }
  }

  async function ensureOn(host: Host, session: GatewaySession): Promise<void> {
    const found = await find(host, session)
    const wanted = toConfig(ctx, host, session)
    if (!found) {
      const body = { name: session.containerId, start: false, config: wanted }
      await client.call(host, { method: 'POST', path: '/api/sessions', body })
    } else if (!isCurrent(found, wanted)) {
      await client.call(host, { method: 'PUT', path: sessionPath(session), body: { config: wanted } })
    }
  }

  /**
   * Reads the state of a session; `known` was read before the call. A state that is known already keeps its place in
   * the order. Another one is newer than all that was known then.
   */
  async function read(host: Host | undefined, session: GatewaySession, known: KnownState): Promise<SessionState> {
    const found = host && (await find(host, session))
    if (!host || !found) return { status: 'STOPPED', me: null, reason: 'stopped', sequence: known.sequence }
    const { status } = found
    cache.hear(session.containerId, status)
    const isKnown = status === known.status
    // What was known before says why it is in another status now.
    const before = isKnown || known.status === null ? [] : [known.status]
    const sequence = isKnown ? known.sequence : Math.max(known.sequence + 1, sequenceOfResponse(found))
    if (!isKnown) await writeRead(ctx.db, session, { status, sequence })
    const passkey = await readPasskey(client, host, { containerId: session.containerId, status })
    return toSessionState({ status, me: found.me, before, passkey }, sequence)
  }

  /** Changes a session and returns its state after that. */
  async function change(session: GatewaySession, verb: 'stop' | 'logout'): Promise<SessionState> {
    const host = await hosts.find(session)
    const known = await readKnown(ctx.db, session)
    cache.delete(session.containerId)
    if (host) await unlessUnknown(client.call(host, { method: 'POST', path: `${sessionPath(session)}/${verb}` }))
    return read(host, session, known)
  }

  async function begin(session: GatewaySession, verb: 'start' | 'restart'): Promise<SessionState> {
    const host = await hosts.place(session)
    const known = await readKnown(ctx.db, session)
    await ensureOn(host, session)
    cache.delete(session.containerId)
    await client.call(host, { method: 'POST', path: `${sessionPath(session)}/${verb}`, timeoutMs: slowCallMs })
    return read(host, session, known)
  }

  /** Calls a session that waits for a phone. */
  async function callUnlinked(session: GatewaySession, call: WahaCall): Promise<WahaResponse | null> {
    const host = await hosts.find(session)
    const status = host && (await find(host, session))?.status
    if (!host || status === undefined || toStatus(status) !== 'SCAN_QR_CODE') return null
    return client.call(host, call)
  }

  async function link(session: GatewaySession, call: WahaCall): Promise<WahaResponse> {
    const response = await callUnlinked(session, call)
    if (response) return response
    throw new GatewayError('session', 'The number cannot be linked now.')
  }

  const auth = (session: GatewaySession, what: string) => `/api/${session.containerId}/auth/${what}`

  return {
    ensure: async (session) => ensureOn(await hosts.place(session), session),
    start: (session) => begin(session, 'start'),
    stop: (session) => change(session, 'stop'),
    restart: (session) => begin(session, 'restart'),
    logout: (session) => change(session, 'logout'),
    async remove(session) {
      const host = await hosts.find(session)
      cache.delete(session.containerId)
      if (host) await unlessUnknown(client.call(host, { method: 'DELETE', path: sessionPath(session) }))
      await hosts.release(session)
    },
    state: async (session) => read(await hosts.find(session), session, await readKnown(ctx.db, session)),
    async qr(session) {
      const call = callUnlinked(session, { method: 'GET', path: auth(session, 'qr?format=raw') })
      const response = await unlessUnknown(call)
      const parsed = z.object({ value: z.string().min(1).max(4096) }).safeParse(response?.body)
      if (!parsed.success) return null
      return { text: parsed.data.value, expiresAt: new Date(ctx.clock.now().getTime() + qrLastsMs) }
    },
    async pairingCode(session, digits) {
      const path = auth(session, 'request-code')
      const { body } = await link(session, { method: 'POST', path, body: { phoneNumber: digits } })
      const parsed = z.object({ code: z.string().max(20) }).safeParse(body)
      if (!parsed.success) throw unreadable()
      return parsed.data.code.replaceAll('-', '')
    },
    async passkey(session, assertion) {
      const body = isObject(assertion) ? assertion : { assertion }
      await link(session, { method: 'POST', path: auth(session, 'passkey'), body })
    },
    async confirmLink(session) {
      await link(session, { method: 'POST', path: auth(session, 'passkey/confirm') })
    },
  }
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a session does for us: its webhook names the host, is signed, and says whose number it is. */
function toConfig({ callbackUrl }: Pick<WahaContext, 'callbackUrl'>, host: Host, session: GatewaySession) {
  const { containerId, organizationId } = session
  const webhook = {
    url: `${callbackUrl}/gateway/waha/${host.id}`,
    events: subscribedEvents,
    hmac: { key: host.hookKey },
    retries,
  }
  return {
    metadata: { containerId, organizationId },
    webhooks: [webhook],
    // Stories and channels are most of what an account receives, and nothing of it is used. What a person writes to a
    // broadcast list is a message like any other.
    ignore: { status: true, channels: true, broadcast: false, groups: !host.groups },
    noweb: { markOnline: false, store: { enabled: true, fullSync: false } },
  }
}

function isCurrent(found: SessionInfo, wanted: ReturnType<typeof toConfig>): boolean {
  const [is, more] = found.config?.webhooks ?? []
  const [right] = wanted.webhooks
  const ignoresAlike = Object.entries(wanted.ignore).every(
    ([what, on]) => (found.config?.ignore?.[what] ?? false) === on,
  )
  return ignoresAlike && more === undefined && is?.url === right?.url && is?.hmac?.key === right?.hmac.key
}

/** Returns the response; null when WAHA does not know the session, or it is in another status by now. */
async function unlessUnknown(call: Promise<WahaResponse | null>): Promise<WahaResponse | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'session') return null
    throw error
  }
}

function unreadable(): GatewayError {
  return new GatewayError('unreachable', 'The host of the number sent a response that cannot be read.')
}
