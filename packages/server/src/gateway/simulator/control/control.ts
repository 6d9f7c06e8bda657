import { apiError } from '../../../errors.ts'
import type { GatewaySession } from '../../gateway.ts'
import type { SimContext } from '../context.ts'
import { scan } from '../sessions/machine.ts'
import { freePhone } from '../sessions/own-phone.ts'
import { changeLink } from '../sessions/sessions.ts'
import { ownerOf, type SessionRow } from '../sessions/store.ts'

/** The number behind a container id. Throws CONTAINER_NOT_FOUND for one that the network never heard of. */
export async function numberOf(ctx: SimContext, containerId: string): Promise<GatewaySession> {
  const session = await ownerOf(ctx.db, containerId)
  if (!session) throw apiError('CONTAINER_NOT_FOUND', 'The simulated network does not know this number.')
  return session
}

/** Scans the QR code of a number, with the phone that is named or with one of its own. */
export async function scanCode(ctx: SimContext, containerId: string, phone?: string): Promise<SessionRow> {
  const session = await numberOf(ctx, containerId)
  const digits = phone ?? (await freePhone(ctx.db, containerId))
  return changeLink(ctx, session, (link, world) => {
    if (link.status === 'SCAN_QR_CODE') return scan(link, digits, world)
    throw apiError('SESSION_NOT_CONNECTED', `There is no QR code to scan: the number is ${link.status}.`, {
      status: link.status,
    })
  })
}
