import { type Contract, products } from '@msgctl/contract'
import qrcode from 'qrcode'
import { actorOf, recordActivity } from '../activity/log.ts'
import { transaction } from '../db/db.ts'
import { apiError } from '../errors.ts'
import { asApiError } from '../gateway/api-failure.ts'
import type { GatewaySession } from '../gateway/gateway.ts'
import type { Caller, Request } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { chooseForLook } from './choose.ts'
import { applyState } from './state.ts'
import { type NumberRow, writeWanted } from './store.ts'
import { connectionView, qrHint } from './view.ts'

type Numbers = Contract['numbers']

const qrSeconds = 60

/** The connection state record of a number (specification, "GET /session/status"). */
export async function numberStatus({ caller, query }: Request<Numbers['status']>, { db, gateway, clock }: Services) {
  const number = await chooseForLook(db, caller, query.containerId)
  return connectionView(number, gateway.name, clock.now())
}

/** The QR that links a number, as a picture or as its text; a hint when there is none to scan. */
export async function numberQr({ caller, query }: Request<Numbers['qr']>, { db, gateway }: Services) {
  const number = await chooseForLook(db, caller, query.containerId)
  if (number.status === 'WORKING') return { status: 'already_connected' as const }
  const qr = number.status === 'SCAN_QR_CODE' ? await reach(gateway.qr(sessionOf(number))) : null
  if (!qr) {
    const status = number.status === 'SCAN_QR_CODE' ? ('STARTING' as const) : number.status
    return { status, ...qrHint(status) }
  }
  const facts = {
    expiresInSeconds: qrSeconds,
    message: 'Open the linked devices of the app on the phone and scan this code. It changes about every minute.',
  }
  const shown = query.format === 'raw' ? { text: qr.text } : { image: await qrcode.toDataURL(qr.text) }
  return { status: 'SCAN_QR_CODE' as const, qr: { ...shown, ...facts } }
}

/** An 8-character code that links a number without a camera. Throws SESSION_NOT_CONNECTED while it cannot be linked. */
export async function pairNumber({ caller, body }: Request<Numbers['pair']>, { db, gateway }: Services) {
  const number = await chooseForLook(db, caller, body.containerId)
  if (number.status === 'WORKING')
    throw apiError('FORBIDDEN_ACTION', 'The number is linked already. Log it out first.', { reason: 'already_linked' })
  if (number.status !== 'SCAN_QR_CODE') {
    throw apiError(
      'SESSION_NOT_CONNECTED',
      `The number is ${number.status}. Start it and wait until it can be linked.`,
      { status: number.status },
    )
  }
  const code = await reach(gateway.pairingCode(sessionOf(number), body.phone))
  return {
    status: 'code_sent' as const,
    code,
    message: 'Open the linked devices of the app on the phone, choose to link with a number, and type this code.',
  }
}

/** Starts a stopped or failed number. Throws FORBIDDEN_ACTION while it runs. */
export async function startNumber({ caller, body }: Request<Numbers['start']>, services: Services) {
  const number = await chooseForLook(services.db, caller, body.containerId)
  if (number.status !== 'STOPPED' && number.status !== 'FAILED') {
    throw apiError('FORBIDDEN_ACTION', `The number is ${number.status} already.`, {
      reason: 'already_started',
      status: number.status,
    })
  }
  if (caller.products.size === 0) {
    throw apiError('PRODUCT_REQUIRED', 'Without an active product no number runs.', { products: [...products] })
  }
  await wantAndRecord(services, caller, number, 'running')
  await applyState(services, {
    ...sessionOf(number),
    state: { status: 'STARTING', me: null, reason: 'started' },
    source: 'user',
    at: services.clock.now(),
  })
  await reach(services.gateway.start(sessionOf(number)))
  return { status: 'starting' as const, message: 'The number is connecting. This takes a few seconds.' }
}

/** Stops a number until it is started again; what is queued on it waits. */
export async function stopNumber({ caller, body }: Request<Numbers['stop']>, services: Services) {
  const number = await chooseForLook(services.db, caller, body.containerId)
  await wantAndRecord(services, caller, number, 'stopped')
  await reach(services.gateway.stop(sessionOf(number)))
  await applyState(services, {
    ...sessionOf(number),
    state: { status: 'STOPPED', me: null, reason: 'stopped' },
    source: 'user',
    at: services.clock.now(),
  })
  return {
    status: 'stopped' as const,
    message: 'The number is stopped. Its link to the phone stays; start it to use it again.',
    containerId: number.id,
  }
}

async function wantAndRecord(
  services: Services,
  caller: Caller,
  { id, organizationId }: NumberRow,
  wanted: 'running' | 'stopped',
): Promise<void> {
  await transaction(services.db, async (trx) => {
    await writeWanted(trx, organizationId, id, wanted)
    await recordActivity(trx, {
      organizationId,
      actor: actorOf(caller),
      action: wanted === 'running' ? 'number.started' : 'number.stopped',
      subject: id,
    })
  })
}

function sessionOf(number: NumberRow): GatewaySession {
  return { containerId: number.id, organizationId: number.organizationId }
}

async function reach<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw asApiError(error)
  }
}
