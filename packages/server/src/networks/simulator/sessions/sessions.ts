import { GatewayError } from '@msgctl/network/errors'
import type { GatewaySession, SessionState } from '@msgctl/network/gateway'
import type { SimContext } from '#networks/simulator/context.ts'
import type { DueEvent } from '#networks/simulator/events/event.ts'
import { addEvents, release } from '#networks/simulator/events/store.ts'
import { specialNumber } from '#networks/simulator/people/people.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'
import { addressBook } from './address-book.ts'
import { type Change, type Environment, type Link, type SettledLink, settle } from './machine.ts'
import { freePhone } from './own-phone.ts'
import { ensureSession, lockDueSessions, lockSession, type SessionRow, saveHost, saveLink } from './store.ts'

/** Returns a link as the gateway reports it. */
export function toSessionState(session: Pick<SessionRow, 'profile'>, link: Link): SessionState {
  const me =
    link.phone === null
      ? null
      : {
          id: `${link.phone}@c.us`,
          digits: link.phone,
          pushName: session.profile.name ?? `Sim ${link.phone.slice(-4)}`,
        }
  const { status, sequence, reason } = link
  return { status, me, sequence, ...(reason === null ? {} : { reason }) }
}

export function hostIsDown(): GatewayError {
  return new GatewayError('unreachable', 'The host of this number does not respond.', { retryAfterMs: 5000 })
}

/** Returns what the rules of a link depend on now. */
async function readEnvironment(ctx: SimContext, trx: Db, row: SessionRow): Promise<Environment> {
  const { speed, autolink } = ctx.config.simulator
  const needsPhone = autolink && row.link.phone === null
  return {
    nowMs: row.now.getTime(),
    speed,
    autolink,
    ownPhone: needsPhone ? await freePhone(trx, row.containerId) : '',
    newQr: () => `sim:${crypto.randomUUID()}`,
  }
}

/** One change of a link that holds its lock. */
export type LinkChange = (link: Link, host: Environment, row: SessionRow) => SettledLink

/**
 * Changes one link under its lock: what is due happens first, then `change`. The state, the events and the release of
 * what waited for the link are one transaction. Throws `unreachable` while the host is down, unless `force` is set.
 */
export async function changeLink(
  ctx: SimContext,
  session: GatewaySession,
  change: LinkChange,
  options: { force?: boolean } = {},
): Promise<SessionRow> {
  return transaction(ctx.db, async (trx) => {
    await ensureSession(trx, session)
    const before = await lockSession(trx, session)
    if (!before) throw new GatewayError('session', 'The number belongs to another organization.')
    if (before.hostDown && !options.force) throw hostIsDown()
    const world = await readEnvironment(ctx, trx, before)
    const settled = settle(before.link, world)
    const after = change(settled.link, world, before)
    const changes = [...settled.changes, ...after.changes]
    await save(ctx, trx, before, after.link, changes)
    afterCommit(trx, 'gateway')
    return { ...before, link: after.link }
  })
}

/** Executes the due steps of all links. Returns how many links changed. */
export async function settleDue(ctx: SimContext, limit: number): Promise<number> {
  return transaction(ctx.db, async (trx) => {
    const due = await lockDueSessions(trx, limit)
    for (const row of due) {
      const { link, changes } = settle(row.link, await readEnvironment(ctx, trx, row))
      await save(ctx, trx, row, link, changes)
    }
    return due.length
  })
}

/** Executes the due steps of one link and returns it. */
export async function settleOne(ctx: SimContext, session: GatewaySession): Promise<SessionRow> {
  return changeLink(ctx, session, (link) => ({ link, changes: [] }))
}

async function save(ctx: SimContext, trx: Db, row: SessionRow, link: Link, changes: readonly Change[]): Promise<void> {
  if (link === row.link) return
  await saveLink(trx, row, link)
  const newPhone = link.phone !== row.link.phone ? link.phone : null
  if (newPhone !== null && specialNumber(newPhone) === '0195') await saveHost(trx, row, true)
  await addEvents(
    trx,
    changes.flatMap((change) => toEvents(ctx, row, change)),
  )
  if (link.status === 'WORKING' && !row.hostDown) await release(trx, `session:${row.containerId}`)
}

function toEvents(ctx: SimContext, row: SessionRow, change: Change): DueEvent[] {
  const about = { containerId: row.containerId, organizationId: row.organizationId }
  // A step of the past keeps its own time, and is reported at once.
  const afterMs = Math.min(0, change.atMs - row.now.getTime())
  const state: DueEvent = {
    ...about,
    afterMs,
    payload: { kind: 'session.state', state: toSessionState(row, change.link) },
  }
  return change.linked ? [state, ...addressBook(about, ctx.config.simulator.speed)] : [state]
}
