import { newSecretsKeys } from '@msgctl/network/secrets'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import { scanShown } from '@msgctl/server/testing/direct/scan-shown'
import { eventually } from '@msgctl/server/testing/eventually'
import { makeOrganization, makeToken } from '@msgctl/server/testing/make'
import { serveDatabase } from '@msgctl/server/testing/start-server'
import { startHost, startNetwork } from './start-process.ts'

/** The service with its worker in this process, over one gateway host and a test network, and one organization. */
export async function openServiceLab() {
  const { db, url } = await testDatabase()
  const secretsKeys = newSecretsKeys()
  const network = await startNetwork()
  const host = await startHost({ databaseUrl: url, secretsKeys, network })
  const server = await serveDatabase(db, url, { env: { GATEWAY: 'direct', SECRETS_KEYS: secretsKeys } })
  cleanUpAfterFile(async () => {
    await server.stop()
    await host.end()
    await network.end()
  })
  const organization = await makeOrganization(server)
  const owner = server.client({ token: await makeToken(server, organization) })
  const client = server.client(organization)

  /** Adds a number and links it by its QR. Returns its id. */
  async function link(phone: string): Promise<string> {
    const { session } = await owner.numbers.create({ label: phone })
    const containerId = session.id
    const status = async () => (await client.numbers.status({ containerId })).status
    await eventually(status, (found) => found === 'SCAN_QR_CODE')
    await scanShown(
      async () => {
        const shown = await client.numbers.qr({ containerId, format: 'raw' })
        return shown.status === 'SCAN_QR_CODE' && 'text' in shown.qr ? shown.qr.text : ''
      },
      (qr) => network.network.scan({ qr, phone }),
    )
    await eventually(status, (found) => found === 'WORKING')
    return containerId
  }

  return { db, net: network.network, client, link, metrics: async () => (await server.services.metrics.text()).body }
}
