import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { testMachine } from '../../testing/machine.ts'
import { refusal, scriptedServer } from '../../testing/scripted-server.ts'

describe('the token of the simulator', () => {
  it('comes from the project file of the service, or from MSG_SIM_TOKEN, and goes only to the controls', async () => {
    const { origin, seen } = await scriptedServer({
      'GET /sim/clock': () => ({ body: { now: '2026-11-01T00:00:00.000Z', frozen: false } }),
      'GET /api/v1/messages': () => ({ body: { success: true, total: 0, page: 1, limit: 50, messages: [] } }),
    })
    const machine = testMachine()
    const project = { baseUrl: `${origin}/api/v1`, apiKey: 'msk_test_key', simToken: 'token-of-the-file' }
    writeFileSync(path.join(machine.cwd, '.msgctl.json'), JSON.stringify(project), { mode: 0o600 })
    await machine.run(['sim', 'clock'])
    await machine.run(['sim', 'clock'], { env: { MSG_SIM_TOKEN: 'token-of-the-shell' } })
    await machine.run(['messages', 'list'])
    const tokens = seen.map(({ path: where, headers }) => [where, headers['x-sim-token']])
    expect(tokens).toEqual([
      ['/sim/clock', 'token-of-the-file'],
      ['/sim/clock', 'token-of-the-shell'],
      ['/api/v1/messages', undefined],
    ])
  })

  it('of the project file is used with a key of the environment, at the address of the file only', async () => {
    const clock = { 'GET /sim/clock': () => ({ body: { now: '2026-11-01T00:00:00.000Z', frozen: false } }) }
    const [own, other] = [await scriptedServer(clock), await scriptedServer(clock)]
    const machine = testMachine()
    const project = { baseUrl: `${own.origin}/api/v1`, apiKey: 'msk_test_key', simToken: 'token-of-the-file' }
    writeFileSync(path.join(machine.cwd, '.msgctl.json'), JSON.stringify(project), { mode: 0o600 })
    for (const { origin, seen } of [own, other]) {
      const env = { MSG_API_KEY: 'msk_exported', MSG_BASE_URL: origin }
      expect((await machine.run(['sim', 'clock'], { env })).exitCode).toBe(0)
      expect(seen[0]?.headers['x-sim-token']).toBe(origin === own.origin ? 'token-of-the-file' : undefined)
    }
  })

  it('is asked for when it is not known', async () => {
    const { origin } = await scriptedServer({ 'GET /sim/clock': () => refusal(403, 'ADMIN_ONLY', 'Send X-Sim-Token.') })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const { exitCode, stderr } = await testMachine().run(['sim', 'clock'], { env })
    expect(exitCode).toBe(4)
    expect(stderr).toContain('set MSG_SIM_TOKEN')
  })
})
