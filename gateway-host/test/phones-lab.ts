import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { setExtraNumbers } from '@msgctl/server/people/organizations/settings'
import { checkCommand } from '@msgctl/server/process/operator/check-command'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import { scanShown } from '@msgctl/server/testing/direct/scan-shown'
import { makeOrganization, makeToken } from '@msgctl/server/testing/make'
import { serveDatabase } from '@msgctl/server/testing/start-server'
import { expect } from 'vitest'
import { startHost, startNetwork } from './start-process.ts'

/** A number of a lab, linked to a phone of the test network. */
export interface LabNumber {
  readonly containerId: string
  readonly phone: string
}

/** A service with a worker in this process, and a test network and gateway hosts as processes of their own. */
export async function openPhonesLab(hostCount = 1) {
  const { db, url } = await testDatabase()
  const secretsKeys = newSecretsKeys()
  const network = await startNetwork()
  const env = { NODE_ENV: 'test', GATEWAY: 'direct', SECRETS_KEYS: secretsKeys, GUARD: 'off' }
  const traces = mkdtempSync(path.join(tmpdir(), 'gateway-traces-'))
  const hostEnv = { GATEWAY_LEASE_SECONDS: '6', GATEWAY_TRACE: traces }
  const starting = () => startHost({ databaseUrl: url, secretsKeys, network, env: hostEnv })
  const hosts = await Promise.all(Array.from({ length: hostCount }, starting))
  const server = await serveDatabase(db, url, { env })
  cleanUpAfterFile(async () => {
    await server.stop()
    await Promise.all(hosts.map((host) => host.end()))
    await network.end()
    rmSync(traces, { recursive: true, force: true })
  })
  const organization = await makeOrganization(server)
  await setExtraNumbers(db, organization.organizationId, 50, null)
  const owner = server.client({ token: await makeToken(server, organization) })
  let phones = 0

  /** Adds a number and links it by its QR to a phone of its own. */
  async function link(): Promise<LabNumber> {
    phones++
    const phone = `1555748${String(phones).padStart(4, '0')}`
    const { session } = await owner.numbers.create({ label: `Number ${phones}` })
    const containerId = session.id
    const becomes = (status: string) =>
      expect.poll(async () => (await owner.numbers.status({ containerId })).status, { timeout: 30_000 }).toBe(status)
    await becomes('SCAN_QR_CODE')
    await scanShown(
      async () => {
        const shown = await owner.numbers.qr({ containerId, format: 'raw' })
        return shown.status === 'SCAN_QR_CODE' && 'text' in shown.qr ? shown.qr.text : ''
      },
      (qr) => network.network.scan({ qr, phone }),
    )
    await becomes('WORKING')
    return { containerId, phone }
  }

  /** Runs `msgctl-server check network` with these words. `sees` is what a person types at each question. */
  async function check(words: readonly string[], sees: string | null = null) {
    const seen = { out: '', err: '', exitCode: 0 }
    await checkCommand({
      env: { ...env, DATABASE_URL: url, GATEWAY_TRACE: traces },
      write: (text) => {
        seen.out += text
      },
      complain: (text) => {
        seen.err += text
      },
      readInput: async () => '',
      ask: async () => sees,
      end: (exitCode) => {
        seen.exitCode = exitCode
      },
      leave: (exitCode) => {
        throw new Error(`left with ${exitCode}`)
      },
    }).parseAsync(['network', ...words], { from: 'user' })
    return seen
  }

  /** Links two numbers. */
  const newPair = async () => ({ number: await link(), peer: await link() })

  return { db, net: network.network, owner, organization, newPair, check, traces }
}
