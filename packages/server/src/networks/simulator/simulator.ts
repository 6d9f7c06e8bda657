import { GatewayError } from '@msgctl/network/errors'
import type { Driver, GatewayCapability, GatewaySession, Profile, SessionState } from '@msgctl/network/gateway'
import { transaction } from '#platform/db/db.ts'
import { checker } from './connection/check.ts'
import { connectionReader } from './connection/connection.ts'
import { ping } from './connection/store.ts'
import type { SimContext } from './context.ts'
import { deliverEvents } from './events/deliver-events.ts'
import { deleteEventsOf } from './events/store.ts'
import { history } from './history/history.ts'
import { readMessage } from './history/store.ts'
import { sender } from './messages/send.ts'
import { saveTyping } from './messages/typing-store.ts'
import { addressText, specialNumber } from './people/people.ts'
import { code } from './random.ts'
import { pair, restart, start, stop, unlink } from './sessions/machine.ts'
import { changeProfile } from './sessions/profile.ts'
import { changeLink, hostIsDown, type LinkChange, settleOne, toSessionState } from './sessions/sessions.ts'
import { deleteSession, ensureSession, hostsDown, readSession, type SessionRow } from './sessions/store.ts'

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
const pairingAlphabet = 'ABCDEFGHJKLMNPQRSTVWXYZ123456789'

/**
 * Creates the driver of the simulated network. All its state is in the database, so several processes can use it, and a
 * restart loses nothing.
 */
export function simulator(ctx: SimContext): Driver {
  const readConnection = connectionReader(ctx, 1)
  const send = sender(ctx, readConnection)
  const subscriptions = new Set<() => Promise<void>>()

  /** Returns the number as it is now; undefined when the network does not know it. */
  async function current(session: GatewaySession): Promise<SessionRow | undefined> {
    const row = await readSession(ctx.db, session)
    if (row?.hostDown) throw hostIsDown()
    const due = row?.link.timers.some((timer) => timer.atMs <= row.now.getTime())
    return due ? settleOne(ctx, session) : row
  }

  async function changed(session: GatewaySession, change: LinkChange): Promise<SessionState> {
    const row = await changeLink(ctx, session, change)
    return toSessionState(row, row.link)
  }

  async function profile(session: GatewaySession): Promise<Profile> {
    await readConnection(session, [])
    const row = await readSession(ctx.db, session)
    const me = row && toSessionState(row, row.link).me
    if (!row || !me) throw new GatewayError('session', 'The number is not connected.')
    return { id: me.id, name: me.pushName, about: row.profile.about, pictureUrl: row.profile.pictureUrl }
  }

  return {
    name: 'simulator',
    caps: new Set(capabilities),
    ensure: (session) => ensureSession(ctx.db, session),
    start: (session) => changed(session, start),
    stop: (session) => changed(session, stop),
    restart: (session) => changed(session, (link, world) => restart(link, world)),
    logout: (session) => changed(session, unlink),
    async remove(session) {
      await transaction(ctx.db, async (trx) => {
        await deleteSession(trx, session)
        await deleteEventsOf(trx, session)
      })
    },
    async state(session) {
      const row = await current(session)
      // As for a number that is added now, so that the state counts as a new one.
      if (!row) return { status: 'STOPPED', me: null, sequence: ctx.clock.now().getTime() }
      return toSessionState(row, row.link)
    },
    async qr(session) {
      const qr = (await current(session))?.link.qr
      return qr ? { text: qr.text, expiresAt: new Date(qr.expiresAtMs) } : null
    },
    async pairingCode(session, digits) {
      if (specialNumber(digits) === '0193') throw new GatewayError('rejected', 'The phone refused the pairing code.')
      await changeLink(ctx, session, (link, world) => {
        if (link.status === 'SCAN_QR_CODE') return pair(link, digits, world)
        throw new GatewayError('session', `The number cannot be paired now (${link.status}).`)
      })
      return code(pairingAlphabet, 8, ctx.config.simulator.seed, 'pairing', session.containerId, digits)
    },
    passkey: async () => noPasskeys(),
    confirmLink: async () => noPasskeys(),
    // The checks of a list run one after the other: waiting for other callers would make it slow.
    check: checker(ctx, connectionReader(ctx, 0)),
    checkBatch: () => 5,
    async typing(session, to, on) {
      await readConnection(session, [])
      await saveTyping(ctx.db, session, addressText(to), on)
    },
    send,
    async forward(session, to, { networkId }, { fallback, ...options }) {
      await readConnection(session, [])
      const original = await readMessage(ctx.db, session, networkId)
      if (original && !original.revokedAt)
        return send(session, to, { kind: 'stored', content: original.content }, options)
      if (original || !fallback) throw new GatewayError('rejected', 'There is no such message to forward.')
      return send(session, to, fallback, options)
    },
    ...history(ctx, readConnection),
    profile,
    async setProfile(session, change) {
      await readConnection(session, [])
      await changeProfile(ctx.db, session, change)
      return profile(session)
    },
    subscribe(handler) {
      const stopOne = deliverEvents(ctx, handler)
      subscriptions.add(stopOne)
      return async () => {
        subscriptions.delete(stopOne)
        await stopOne()
      }
    },
    async health(session) {
      try {
        const down = session ? (await readSession(ctx.db, session))?.hostDown : !(await ping(ctx.db))
        return down ? { ok: false, detail: 'The host of this number does not respond.' } : { ok: true }
      } catch {
        return { ok: false, detail: 'The database of the simulated network does not respond.' }
      }
    },
    silentHosts: (sessions) => hostsDown(ctx.db, sessions),
    hasRoom: async () => true,
    async close() {
      await Promise.all([...subscriptions].map((stopOne) => stopOne()))
      subscriptions.clear()
    },
  }
}

function noPasskeys(): never {
  throw new GatewayError('unsupported', 'The simulated network asks for no passkeys.')
}
