import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { listNumbers, type NumberRow } from '#numbers/records/store.ts'
import { toSession } from '#numbers/records/view.ts'
import { listUnclosed, writeClosed } from '#people/organizations/move-store.ts'
import { workOn } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'

const timeoutMs = 10_000

/**
 * Stops the numbers of moving organizations at their networks. Their rows stay as they are, so that the other
 * installation connects the same numbers. An organization is closed once every network has confirmed; until then each
 * run repeats it.
 */
export async function closeMoving(services: Services): Promise<void> {
  for (const { organizationId } of await listUnclosed(services.db)) {
    await workOn(services, 'moves', [{ id: organizationId, organizationId }], {
      run: () => closeNumbersOf(services, organizationId),
    })
  }
}

async function closeNumbersOf(services: Services, organizationId: string): Promise<void> {
  const numbers = await listNumbers(services.db, organizationId)
  const stopped = await Promise.all(numbers.map((number) => stopNumber(services, number)))
  if (stopped.every(Boolean)) await writeClosed(services.db, organizationId)
}

/** Stops a number. Returns whether its network has confirmed. */
async function stopNumber({ gateway, log }: Services, number: NumberRow): Promise<boolean> {
  const session = toSession(number)
  try {
    const { status } = await withGatewayTimeout(timeoutMs, gateway.state(session))
    if (status === 'STOPPED') return true
    return (await withGatewayTimeout(timeoutMs, gateway.stop(session))).status === 'STOPPED'
  } catch (error) {
    log.warn(
      { event: 'number_stop_failed', err: error, containerId: number.id },
      'failed to stop a number that moves; the next run tries again',
    )
    return false
  }
}
