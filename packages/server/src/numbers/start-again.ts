import { transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { startSession } from './connect.ts'
import { moveNumber } from './connection/state.ts'
import { writeDesiredState } from './connection/state-store.ts'
import { lockNumber } from './records/store.ts'
import { findEntitledAgain, type StoppedNumber, stoppedWithoutProduct } from './sweep-store.ts'

const batch = 100

/**
 * Starts the numbers again that stopped because their organization had no product, once it has one: granted or paid.
 * One that cannot be started is FAILED, and the supervisor tries it again.
 */
export async function startEntitledAgain(services: Services): Promise<void> {
  for (const number of await findEntitledAgain(services.db, batch)) {
    try {
      await startAgain(services, number)
    } catch (error) {
      const { containerId } = number
      services.log.warn(
        { event: 'number_start_failed', err: error, containerId },
        'failed to start a number whose product is back',
      )
    }
  }
}

async function startAgain(services: Services, session: StoppedNumber): Promise<void> {
  const { organizationId, containerId } = session
  const isStarting = await transaction(services.db, async (trx) => {
    const number = await lockNumber(trx, organizationId, containerId)
    if (number?.status !== 'STOPPED' || number.statusReason !== stoppedWithoutProduct) return false
    await writeDesiredState(trx, organizationId, containerId, 'running')
    const state = { status: 'STARTING', me: null, reason: 'started' } as const
    await moveNumber(trx, { ...session, state, source: 'supervisor' })
    return true
  })
  if (isStarting) await startSession(services, session)
}
