import { describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

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
