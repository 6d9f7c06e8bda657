import { GatewayError } from '@msgctl/network/errors'
import type { GatewayEvent } from '@msgctl/network/gateway'
import { transcript, transcriptQuery } from '#networks/simulator/control/transcript.ts'
import type { Db } from '#platform/db/db.ts'
import { openNetwork } from './network.ts'

/** The gateway's error that a call ends with; whatever else it ends with fails the test. */
export async function failure(call: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await call.then(
    () => new Error('it was done'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GatewayError)) throw error
  return error
}

/** A process that listens, with a number that works, what reached phones from it, and a way to wait for one event. */
export async function openListening(db: Db) {
  const network = await openNetwork(db)
  network.listen()
  const session = await network.linked()
  const query = transcriptQuery.parse({ containerId: session.containerId })
  const reached = async () => (await transcript(network.ctx, query)).messages
  const reported = (enough: (event: GatewayEvent) => boolean) => network.until((events) => events.some(enough))
  return { ...network, session, reached, reported }
}
