import type { GatewaySession, ReceiptStatus } from '@msgctl/network/gateway'
import type { SimContext } from '#networks/simulator/context.ts'
import { addEvents, deletePastStates, release } from '#networks/simulator/events/store.ts'
import {
  drop,
  type Environment,
  type Link,
  nextReport,
  type SettledLink,
  scan,
  unlink,
} from '#networks/simulator/sessions/machine.ts'
import { freePhone } from '#networks/simulator/sessions/own-phone.ts'
import { changeLink, toSessionState } from '#networks/simulator/sessions/sessions.ts'
import { findSession, lockSession, saveHost, saveLink } from '#networks/simulator/sessions/store.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { findSent, savePresence } from './store.ts'

/** The state of a number after a change. */
export interface NumberAnswer {
  readonly containerId: string
  readonly status: Link['status']
  readonly phone: string | null
}

/** Returns the number of a container id. Throws CONTAINER_NOT_FOUND for one that the network does not know. */
export async function requireNumber(ctx: SimContext, containerId: string): Promise<GatewaySession> {
  const session = await findSession(ctx.db, containerId)
  if (!session) throw apiError('CONTAINER_NOT_FOUND', 'The simulated network does not know this number.')
  return session
}

/** Throws SESSION_NOT_CONNECTED, with the status that the number is in. */
export function wrongStatus(link: Pick<Link, 'status'>, message: string): never {
  throw apiError('SESSION_NOT_CONNECTED', `${message}: the number is ${link.status}.`, { status: link.status })
}

async function change(
  ctx: SimContext,
  containerId: string,
  how: (link: Link, host: Environment) => SettledLink,
): Promise<NumberAnswer> {
  const { link } = await changeLink(ctx, await requireNumber(ctx, containerId), how, { force: true })
  return { containerId, status: link.status, phone: link.phone }
}

/** Scans the QR code of a number, with the phone that is named or with one of its own. */
export async function scanCode(ctx: SimContext, containerId: string, phone?: string): Promise<NumberAnswer> {
  const digits = phone ?? (await freePhone(ctx.db, containerId))
  return change(ctx, containerId, (link, world) =>
    link.status === 'SCAN_QR_CODE' ? scan(link, digits, world) : wrongStatus(link, 'There is no QR code to scan'),
  )
}

/** Ends the link from the phone. */
export async function unlinkPhone(ctx: SimContext, containerId: string): Promise<NumberAnswer> {
  return change(ctx, containerId, (link, world) =>
    link.phone === null ? wrongStatus(link, 'No phone is linked') : unlink(link, world),
  )
}

/** Cuts the line of a number for some seconds of service time. */
export async function dropLine(ctx: SimContext, containerId: string, seconds: number): Promise<NumberAnswer> {
  return change(ctx, containerId, (link, world) =>
    link.status === 'WORKING' ? drop(link, seconds * 1000, world) : wrongStatus(link, 'There is no line to cut'),
  )
}

/** Turns the host of a number off or on. A host that is turned on reports the present state of the number. */
export async function setHost(
  ctx: SimContext,
  containerId: string,
  down: boolean,
): Promise<NumberAnswer & { host: 'down' | 'up' }> {
  const session = await requireNumber(ctx, containerId)
  const link = await transaction(ctx.db, async (trx) => {
    const row = await lockSession(trx, session)
    if (!row) throw apiError('CONTAINER_NOT_FOUND', 'The simulated network does not know this number.')
    await saveHost(trx, session, down)
    if (!down && row.hostDown) {
      await deletePastStates(trx, session)
      const link = nextReport(row.link)
      await saveLink(trx, session, link)
      await addEvents(trx, [
        { ...session, afterMs: 0, payload: { kind: 'session.state', state: toSessionState(row, link) } },
      ])
      await release(trx, `session:${containerId}`)
    }
    return row.link
  })
  return { containerId, status: link.status, phone: link.phone, host: down ? 'down' : 'up' }
}

/** Puts a phone on or off. What it could not be given comes when it is back. */
export async function setPresence(
  ctx: SimContext,
  digits: string,
  online: boolean,
): Promise<{ phone: string; online: boolean }> {
  await transaction(ctx.db, async (trx) => {
    await savePresence(trx, digits, online)
    if (online) await release(trx, `person:${digits}`)
  })
  return { phone: digits, online }
}

/** Reports a receipt on request. Throws MESSAGE_NOT_FOUND for a message that the network did not accept. */
export async function sendReceipt(
  ctx: SimContext,
  messageId: string,
  status: ReceiptStatus,
): Promise<{ networkId: string; status: ReceiptStatus }> {
  const sent = await findSent(ctx.db, messageId)
  if (!sent) throw apiError('MESSAGE_NOT_FOUND', 'The simulated network never took this message.')
  const { networkId, ...session } = sent
  const error = status === 'failed' ? { error: 'The network could not deliver the message.' } : {}
  await addEvents(ctx.db, [
    { ...session, afterMs: 0, payload: { kind: 'message.status', networkId, status, ...error } },
  ])
  return { networkId, status }
}
