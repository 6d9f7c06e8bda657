import type { HostCalls, HostOperation } from '@msgctl/network/calls'
import { GatewayError } from '@msgctl/network/errors'
import type { CallOptions, Driver, GatewayCapability, GatewaySession, SessionState } from '@msgctl/network/gateway'
import { fileDeadlineMs } from '@msgctl/network/wire'
import { openInbox } from '#networks/gateway/inbox/inbox.ts'
import type { Services } from '#services.ts'
import { HostAddresses } from './host-addresses.ts'
import { type CallFile, HostClient, machineMs } from './host-client.ts'
import { readReport } from './reports.ts'
import * as store from './store.ts'
import { toWire } from './wire-content.ts'

/** What the driver works with. */
export type DirectContext = Pick<Services, 'db' | 'clock' | 'wake' | 'secrets' | 'log'>

const capabilities: readonly GatewayCapability[] = [
  'qr',
  'pair',
  'typing',
  'read',
  'poll',
  'edit',
  'delete',
  'forward',
  'lid',
  'history',
]

/** How long a call may take that is no message. */
const questionMs = 20_000
const unlinkMs = 3000

/**
 * Creates the driver of the sockets of our own. The connections are in gateway hosts; session calls are rows that a
 * host reads, so that they succeed while no host runs. States are read from the rows.
 */
export function direct(ctx: DirectContext): Driver {
  const { db, clock, secrets } = ctx
  const addresses = new HostAddresses(db)
  const client = new HostClient({
    secrets,
    findHost: addresses.find,
    nowMs: machineMs,
  })
  const inbox = openInbox(ctx, 'direct', readReport)

  function call<Value, Operation extends HostOperation>(
    session: GatewaySession,
    operation: Operation,
    args: HostCalls[Operation],
    options: Partial<CallOptions> & { file?: CallFile | undefined } = {},
  ): Promise<Value> {
    const { containerId } = session
    return client.call({ operation, containerId, args, timeoutMs: options.timeoutMs ?? questionMs, ...options })
  }

  /** Runs a question about a number that a host must own. */
  async function ask<Value, Operation extends HostOperation>(
    session: GatewaySession,
    operation: Operation,
    args: HostCalls[Operation],
    options: Partial<CallOptions> & { file?: CallFile | undefined } = {},
  ): Promise<Value> {
    const { status } = await state(session)
    if (status === 'WORKING' || operation === 'pairingCode') return call(session, operation, args, options)
    throw new GatewayError('session', `The number is not connected (${status}).`)
  }

  async function state(session: GatewaySession): Promise<SessionState> {
    const row = await store.readSession(db, session)
    // As for a number that is added now, so that the state counts as a new one.
    return row ? toState(row, offsetMs()) : { status: 'STOPPED', me: null, sequence: clock.now().getTime() }
  }

  async function change(session: GatewaySession, change: store.SessionChange): Promise<SessionState> {
    await store.ensureSession(db, session)
    const row = await store.changeSession(db, session, change)
    if (!row) throw new GatewayError('session', 'The number belongs to another organization.')
    return toState(row, offsetMs())
  }

  /** What service time adds to the time of this machine. */
  function offsetMs(): number {
    return clock.now().getTime() - (performance.timeOrigin + performance.now())
  }

  return {
    name: 'direct',
    caps: new Set(capabilities),
    ensure: (session) => store.ensureSession(db, session),
    start: (session) => change(session, store.startChange),
    stop: (session) => change(session, store.stopChange),
    restart: (session) => change(session, store.restartChange),
    logout: (session) => change(session, store.logoutChange),
    async remove(session) {
      const { me } = await state(session)
      // The phone lists the device until the network removes it; without a host it stays there.
      if (me) await call(session, 'unlink', {}, { timeoutMs: unlinkMs }).catch(() => undefined)
      await store.deleteSession(db, session)
    },
    state,
    async qr(session) {
      if ((await state(session)).status !== 'SCAN_QR_CODE') return null
      const qr = await call<{ text: string; expiresAt: string } | null, 'qr'>(session, 'qr', {})
      return qr && { text: qr.text, expiresAt: new Date(Date.parse(qr.expiresAt) + offsetMs()) }
    },
    pairingCode: (session, digits) => ask(session, 'pairingCode', { digits }),
    passkey: () => Promise.reject(unsupported()),
    confirmLink: () => Promise.reject(unsupported()),
    async check(session, digits, signal) {
      const found = await ask<Record<string, { exists: boolean }>, 'check'>(
        session,
        'check',
        { digits },
        signal && { signal },
      )
      return new Map(Object.entries(found))
    },
    checkBatch: () => 5,
    async typing(session, to, on) {
      await ask(session, 'typing', { to, on })
    },
    async seen(session, chat, networkIds) {
      await ask(session, 'seen', { chat, networkIds })
    },
    send(session, to, content, { clientId, timeoutMs, signal }) {
      const wire = toWire(content)
      const args = { to, content: wire.content, clientId, timeoutMs }
      return ask(session, 'send', args, { timeoutMs, file: wire.file, ...(signal && { signal }) })
    },
    async forward(session, to, message, { clientId, timeoutMs, signal, fallback }) {
      const { networkId } = message
      try {
        const args = { to, networkId, clientId, timeoutMs }
        return await ask(session, 'forward', args, { timeoutMs, ...(signal && { signal }) })
      } catch (error) {
        const isGone = error instanceof GatewayError && error.kind === 'rejected' && error.outcome === 'not_sent'
        if (!isGone || !fallback) throw error
        return this.send(session, to, fallback, { clientId, timeoutMs, ...(signal && { signal }) })
      }
    },
    async edit(session, message, text, { timeoutMs, signal }) {
      await ask(session, 'edit', { message, text, timeoutMs }, { timeoutMs, ...(signal && { signal }) })
    },
    async revoke(session, message, { timeoutMs, signal }) {
      await ask(session, 'revoke', { message, timeoutMs }, { timeoutMs, ...(signal && { signal }) })
    },
    contacts: (session) => ask(session, 'contacts', {}),
    lids: (session) => ask(session, 'lids', {}),
    async chats(session, limit) {
      const chats = await ask<{ lastAt: string }[], 'chats'>(session, 'chats', { limit })
      return chats.map((chat) => ({ ...chat, lastAt: new Date(chat.lastAt) })) as never
    },
    async messages(session, chat, limit) {
      const messages = await ask<{ at: string }[], 'messages'>(session, 'messages', { chat, limit })
      return messages.map((message) => ({ ...message, at: new Date(message.at) })) as never
    },
    profile: (session) => ask(session, 'profile', {}),
    setProfile(session, { name, about, picture }) {
      const args = {
        ...(name === undefined ? {} : { name }),
        ...(about === undefined ? {} : { about }),
        hasPicture: picture !== undefined,
      }
      return ask(session, 'setProfile', args, { file: picture })
    },
    async fetchMedia(session, { raw }) {
      if (raw === null) return null
      const { containerId } = session
      const bytes = await client.download({
        operation: 'fetchMedia',
        containerId,
        args: { raw },
        timeoutMs: fileDeadlineMs,
      })
      const mimetype = (raw as { mimetype?: string }).mimetype ?? 'application/octet-stream'
      return bytes && { bytes, mimetype }
    },
    subscribe: (handler) => inbox.subscribe(handler),
    async health(session) {
      try {
        const silent = session
          ? (await store.findUnowned(db, [session.containerId])).length > 0
          : !(await store.hasHost(db))
        return silent ? { ok: false, detail: 'No gateway host is running for this number.' } : { ok: true }
      } catch {
        return { ok: false, detail: 'The database of the gateway does not respond.' }
      }
    },
    async silentHosts(sessions) {
      const ids = sessions.map(({ containerId }) => containerId)
      return new Set(ids.length > 0 ? await store.findUnowned(db, ids) : [])
    },
    hasRoom: () => store.hasRoom(db),
    close: () => inbox.close(),
  }
}

function unsupported(): GatewayError {
  return new GatewayError('unsupported', 'This network cannot complete passkeys.')
}

function toState({ status, me, sequence, reason, code, retry }: store.SessionRow, offsetMs: number): SessionState {
  const at = retry === null || retry === 'never' ? retry : new Date(Date.parse(retry) + offsetMs)
  return {
    status,
    me,
    sequence,
    ...(reason === null ? {} : { reason }),
    ...(code === null ? {} : { code }),
    ...(at === null ? {} : { retry: at }),
  } as SessionState
}
