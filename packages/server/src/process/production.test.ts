import { newSecretsKeys } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { serveDatabase, startTestServer, type TestServer } from '#testing/start-server.ts'
import { reportSecrets } from './stored-secrets.ts'

const production = {
  NODE_ENV: 'production',
  GATEWAY: 'simulator',
  LOG_LEVEL: 'warn',
  SIM_CONTROL: undefined,
  UNSAFE_DISABLE_PACING: undefined,
  UNSAFE_DISABLE_RATE_LIMIT: undefined,
  ALLOW_PRIVATE_TARGETS: undefined,
}

async function whatPeopleSee(env: Readonly<Record<string, string | undefined>>) {
  const log: string[] = []
  const server = await startTestServer({ env, worker: false, onLog: (line) => log.push(line) })
  const organization = await makeOrganization(server)
  await makeNumber(server, organization)
  const client = server.client(organization)
  const me = await client.account.me()
  const status = await client.numbers.status()
  return { log: log.join(''), warnings: [me.networkWarning, status.networkWarning], engine: status.engine }
}

describe('a simulated network', () => {
  it('is warned of in production: at the start, in the account and at each number', async () => {
    const seen = await whatPeopleSee(production)
    expect(seen.engine).toBe('simulator')
    expect(seen.log).toContain('network_simulated')
    for (const warning of seen.warnings) expect(warning).toContain('no message reaches a real phone')
  })

  it('is no news outside of production', async () => {
    const seen = await whatPeopleSee({ LOG_LEVEL: 'warn' })
    expect(seen.log).not.toContain('network_simulated')
    expect(seen.warnings).toEqual([null, null])
  })
})

describe('the keys of stored secrets', () => {
  /** Starts one more process with some keys at a database. Returns the codes of the errors that it logs about them. */
  async function complaints({ db, databaseUrl }: TestServer, keys: string | undefined): Promise<string[]> {
    const lines: string[] = []
    const env = { ...production, SECRETS_KEYS: keys }
    const one = await serveDatabase(db, databaseUrl, { env, worker: false, onLog: (line) => lines.push(line) })
    await reportSecrets(one.services)
    await one.stop()
    return lines.map((line) => JSON.parse(line)).flatMap(({ level, event }) => (level === 'error' ? [event] : []))
  }

  it('are demanded at the start of a process in production', async () => {
    const keys = newSecretsKeys()
    const server = await startTestServer({ env: { SECRETS_KEYS: keys }, worker: false })
    const client = server.client(await makeOrganization(server))
    await client.webhook.set({ webhookUrl: 'https://example.com/hook' })
    expect(await complaints(server, keys)).toEqual([])
    expect(await complaints(server, undefined)).toEqual(['secrets_keys_missing'])
    expect(await complaints(server, newSecretsKeys().replace('1:', '2:'))).toEqual(['secrets_keys_missing'])
    expect(await complaints(server, newSecretsKeys())).toEqual(['secrets_keys_wrong'])
  })
})
