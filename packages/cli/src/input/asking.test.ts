import { describe, expect, it } from 'vitest'
import { fakeService } from '../testing/fake-api/service.ts'
import { testMachine } from '../testing/machine.ts'

/** A terminal at the service, at which a person presses `keys` when asked. */
async function terminal() {
  const service = await fakeService()
  const machine = testMachine()
  const env = { MSG_API_KEY: service.state.apiKey, MSG_BASE_URL: service.baseUrl }
  const changes = () => service.seen.filter(({ method }) => method !== 'GET').map(({ body }) => body)
  return { run: (words: string, keys: string) => machine.run(words.split(' '), { env, keys }), changes }
}

const enter = '\r'
const ctrlC = '\u0003'

describe('a person at a terminal', () => {
  it('is shown the chat and asked for the answer', async () => {
    const { run, changes } = await terminal()
    const words = 'chats reply +12025550100 --output plain --fields status'
    const { stdout, stderr, exitCode } = await run(words, `At nine${enter}`)
    expect([stdout, exitCode]).toEqual(['queued\n', 0])
    expect(stderr).toContain('2026-11-01 08:00:00Z  Ada: Are you open?\n')
    expect(changes()).toEqual([{ phone: '+12025550100', message: 'At nine' }])
  })

  it('may think better of it', async () => {
    const { run, changes } = await terminal()
    const { exitCode, stdout } = await run('chats reply +12025550100', `At n${ctrlC}`)
    expect([stdout, exitCode]).toEqual(['', 130])
    expect(changes()).toEqual([])
  })

  it('is asked for a one-time code', async () => {
    const { run, changes } = await terminal()
    const request = '0190c1d2-0000-7000-8000-00000000c0de'
    const { stdout } = await run(`otp verify ${request} --output plain --fields verified`, `048213${enter}`)
    expect(stdout).toBe('true\n')
    expect(changes()).toEqual([{ requestId: request, code: '048213' }])
  })

  it.each([
    ['y', 0, 1],
    ['n', 2, 0],
    [enter, 2, 0],
  ])('who is asked for a yes and presses %j', async (key, exitCode, count) => {
    const { run, changes } = await terminal()
    expect((await run('numbers logout Demo', key)).exitCode).toBe(exitCode)
    expect(changes()).toHaveLength(count)
  })
})
