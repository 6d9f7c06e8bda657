import { rows } from '#platform/db/db.ts'
import { directNetworkOf } from '#testing/direct/test-gateway.ts'
import { sim, type TranscriptEntry } from '#testing/sim.ts'
import type { TestServer } from '#testing/start-server.ts'

const revoked = 'select revoked_at is not null as revoked from sim_messages where network_id = :networkId'

const taken = `select client_id as id from sim_messages where direction = 'out' and organization_id = :organizationId`
const numbersOf = 'select id from numbers where organization_id = :organizationId'

/** Returns the ids that messages of an organization had for the network, of those that it took. */
export async function takenIds(server: Pick<TestServer, 'db' | 'address'>, organizationId: string): Promise<string[]> {
  const { db } = server
  if (!(await directNetworkOf(db)))
    return (await rows<{ id: string }>(db, taken, { organizationId })).map(({ id }) => id)
  const own = new Set((await rows<{ id: string }>(db, numbersOf, { organizationId })).map(({ id }) => id))
  const { messages } = await sim<{ messages: TranscriptEntry[] }>(server, 'GET transcript?limit=1000')
  return messages.filter(({ containerId }) => own.has(containerId)).map(({ clientId }) => clientId)
}

/** Returns whether the phone of a person shows that a message was taken back. */
export async function isTakenBack(
  { db }: Pick<TestServer, 'db'>,
  { containerId, to, networkId }: { readonly containerId: string; readonly to: string; readonly networkId: string },
): Promise<boolean> {
  const network = await directNetworkOf(db)
  if (!network) return (await rows<{ revoked: boolean }>(db, revoked, { networkId }))[0]?.revoked ?? false
  const call = { by: to, from: await network.phoneOf(containerId), id: networkId }
  const { shown } = await network.call<{ shown: { revoked: boolean } | null }>('phoneShows', call)
  return shown?.revoked ?? false
}
