import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeServer, refusal } from '../../testing/fake-api/server.ts'
import { fakeService } from '../../testing/fake-api/service.ts'
import { testMachine } from '../../testing/machine.ts'

describe('the token of the simulator', () => {
  it('comes from the project file of the service, or from MSG_SIM_TOKEN, and goes only to the controls', async () => {
    const service = await fakeService()
    const machine = testMachine()
    const { apiKey } = service.state
    const project = { baseUrl: service.baseUrl, apiKey, simToken: 'token-of-the-file' }
    writeFileSync(path.join(machine.cwd, '.msgctl.json'), JSON.stringify(project), { mode: 0o600 })
    await machine.run(['sim', 'clock'])
    await machine.run(['sim', 'clock'], { env: { MSG_SIM_TOKEN: 'token-of-the-shell' } })
    await machine.run(['messages', 'list'])
    const tokens = service.seen.map(({ path: seen, headers }) => [seen, headers['x-sim-token']])
    expect(tokens).toEqual([
      ['/sim/clock', 'token-of-the-file'],
      ['/sim/clock', 'token-of-the-shell'],
      ['/api/v1/messages', undefined],
    ])
  })

  it('is asked for when it is not known', async () => {
    const { origin } = await fakeServer({ 'GET /sim/clock': () => refusal(403, 'ADMIN_ONLY', 'Send X-Sim-Token.') })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const { exitCode, stderr } = await testMachine().run(['sim', 'clock'], { env })
    expect(exitCode).toBe(4)
    expect(stderr).toContain('set MSG_SIM_TOKEN')
  })
})
