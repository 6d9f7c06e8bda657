import type { Contract } from '@msgctl/contract'
import { GatewayError } from '@msgctl/network/errors'
import type { Request } from '#api/http/handler.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { gatewayCall } from './gateway-call.ts'
import { guardView } from './guard/guarded-number.ts'
import { countFailedLinks } from './history-store.ts'
import type { NumberRow } from './records/store.ts'
import { connectionView, qrHint, toSession } from './records/view.ts'
import { requireHost } from './require-host.ts'
import { resolveNumber } from './send-group/select-number.ts'

type Numbers = Contract['numbers']

const qrSeconds = 60

/** Responds with the connection state record of a number (specification, "GET /session/status"). */
export async function numberStatus({ caller, query }: Request<Numbers['status']>, services: Services) {
  const { db, clock, config } = services
  const number = await resolveNumber(db, caller, query.containerId)
  const now = clock.now()
  const [guard, failedLinks] = await Promise.all([
    guardView(db, config.guard, number, now),
    countFailedLinks(db, number.organizationId, number.id),
  ])
  return { ...connectionView(number, { now, production: config.production, failedLinks }), guard }
}

/** Responds with the QR that links a number, as a picture or as its text, or with a hint when there is none to scan. */
export async function numberQr({ caller, query }: Request<Numbers['qr']>, services: Services) {
  const { db, gateway } = services
  const number = await requireHost(services, await resolveNumber(db, caller, query.containerId))
  if (number.status === 'WORKING') return { status: 'already_connected' as const }
  if (number.status !== 'SCAN_QR_CODE') return { status: number.status, ...qrHint(number.status) }
  const qr = await gatewayCall(gateway.qr(toSession(number)))
  // It was scanned a moment ago, and the report of the network has not arrived.
  if (!qr) return { status: 'STARTING' as const, ...qrHint('STARTING') }
  const facts = {
    expiresInSeconds: qrSeconds,
    message: 'Open the linked devices of the app on the phone and scan this code. It changes about every minute.',
  }
  const shown = query.format === 'raw' ? { text: qr.text } : { image: await renderQr(qr.text) }
  return { status: 'SCAN_QR_CODE' as const, qr: { ...shown, ...facts } }
}

async function renderQr(text: string): Promise<string> {
  const { default: qrcode } = await import('qrcode')
  return qrcode.toDataURL(text)
}

/**
 * Returns an 8-character code that links a number without a camera. Throws FORBIDDEN_ACTION for a number that is
 * linked, SESSION_NOT_CONNECTED for one that cannot be linked now, and GATEWAY_UNREACHABLE while its host does not
 * respond.
 */
export async function pairNumber({ caller, body }: Request<Numbers['pair']>, services: Services) {
  const { db, gateway } = services
  const number = await requireHost(services, await resolveNumber(db, caller, body.containerId))
  if (number.status === 'WORKING') {
    throw apiError('FORBIDDEN_ACTION', 'The number is linked already. Log it out first: POST /session/logout.', {
      reason: 'already_linked',
    })
  }
  if (number.status !== 'SCAN_QR_CODE') throw cannotLinkNow(number)
  const code = await gatewayCall(
    gateway.pairingCode(toSession(number), body.phone).catch((error: unknown) => {
      throw error instanceof GatewayError && error.kind === 'session' ? cannotLinkNow({ status: 'STARTING' }) : error
    }),
  )
  return {
    status: 'code_sent' as const,
    code,
    message: 'Open the linked devices of the app on the phone, choose to link with a number, and type this code.',
  }
}

function cannotLinkNow({ status }: Pick<NumberRow, 'status'>) {
  const message = `The number is ${status}, so no phone can be linked. Start it, or wait until it is SCAN_QR_CODE.`
  return apiError('SESSION_NOT_CONNECTED', message, { status })
}
