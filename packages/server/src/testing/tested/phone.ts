import { rows } from '../../db/db.ts'
import { directNetworkOf } from '../direct/test-gateway.ts'
import type { TestServer } from '../start-server.ts'

const revoked = 'select revoked_at is not null as revoked from sim_messages where network_id = :networkId'

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
