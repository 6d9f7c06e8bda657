import type { GatewaySession } from '@msgctl/network/session'
import { eventually } from '#testing/eventually.ts'
import type { WahaNetwork } from './network.ts'

/** Links a new number, and waits until it works. */
export async function linked(network: WahaNetwork): Promise<GatewaySession> {
  const session = network.newNumber()
  await network.driver.start(session)
  await works(network, session, 'SCAN_QR_CODE')
  await network.link(session)
  return session
}

/** Waits until a session is in a status. */
export function works({ driver }: WahaNetwork, session: GatewaySession, status = 'WORKING') {
  return eventually(
    () => driver.state(session),
    (state) => state.status === status,
  )
}

/** How often sessions were restarted. */
export function restarts({ fake }: WahaNetwork, { containerId }: GatewaySession): number {
  return fake.calls.filter((call) => call === `POST /api/sessions/${containerId}/restart`).length
}

/** How many restarts for a reason the metrics count. */
export async function counted({ metrics }: WahaNetwork, reason: string): Promise<number> {
  const { body } = await metrics.text()
  return Number(new RegExp(`msgctl_waha_restarts_total\\{reason="${reason}"\\} (\\d+)`).exec(body)?.[1] ?? 0)
}
