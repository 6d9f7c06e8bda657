import { describe, expect, it } from 'vitest'
import type { Situation } from '../testing/machine.ts'
import { startService } from '../testing/service.ts'
import { readConfig, saveProfile } from './config-file.ts'

const makeWorkspace = await startService()

const elsewhere = { baseUrl: 'https://live.example/api/v1', apiKey: 'msk_live_key' }

/** A machine whose current profile belongs to another service than the one a person logs in to. */
async function beforeLogin() {
  const { machine, baseUrl, apiKey } = await makeWorkspace()
  saveProfile(machine.world(), 'live', elsewhere)
  const argv = ['login', '--base-url', baseUrl, '--with-key']
  const login = (words: readonly string[] = [], situation: Situation = {}) =>
    machine.run([...argv, ...words], { stdin: apiKey, ...situation })
  return { login, fresh: { baseUrl, apiKey }, stored: () => readConfig(machine.world()) }
}

describe('msgctl login', () => {
  it('stores under the profile that MSG_PROFILE names, as logout forgets that one', async () => {
    const { login, fresh, stored } = await beforeLogin()
    expect(await login([], { env: { MSG_PROFILE: 'test' } })).toMatchObject({ exitCode: 0 })
    expect(stored()).toMatchObject({ current: 'test', profiles: { live: elsewhere, test: fresh } })
  })

  it.each([
    ['the current one', []],
    ['one that is named', ['--profile', 'here']],
  ])('signs in again at the address of a profile without a terminal: %s', async (_which, words) => {
    const { machine, baseUrl, owner, apiKey } = await makeWorkspace()
    if (words.length > 0) saveProfile(machine.world(), 'here', { baseUrl, apiKey })
    saveProfile(machine.world(), 'live', words.length > 0 ? elsewhere : { baseUrl, apiKey })
    const argv = ['login', '--email', owner.email, '--password-stdin', ...words]
    const { stderr, exitCode } = await machine.run(argv, { stdin: `${owner.password}\n` })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(`Logged in to ${baseUrl}`) })
  })

  it('sends no password to the address of a project file without a person who sees it', async () => {
    const workspace = await makeWorkspace()
    workspace.writeProjectFile()
    saveProfile(workspace.machine.world(), 'live', elsewhere)
    const argv = ['login', '--email', workspace.owner.email, '--password-stdin']
    const { stderr, exitCode } = await workspace.machine.run(argv, { stdin: 'secret' })
    expect([exitCode, workspace.seen]).toEqual([2, []])
    expect(stderr).toContain('--base-url')
  })

  it('takes --profile before MSG_PROFILE', async () => {
    const { login, fresh, stored } = await beforeLogin()
    await login(['--profile', 'mine'], { env: { MSG_PROFILE: 'test' } })
    expect(Object.keys(stored().profiles)).toEqual(['live', 'mine'])
    expect(stored().profiles.mine).toMatchObject(fresh)
  })

  it.each([
    ['the current one', [], {}],
    ['one that is named', ['--profile', 'live'], {}],
    ['one of the environment', [], { env: { MSG_PROFILE: 'live' } }],
  ])('does not replace a profile of another address without a yes: %s', async (_which, words, situation) => {
    const { login, stored } = await beforeLogin()
    const { stderr, exitCode } = await login([...words, '--json'], situation)
    expect(exitCode).toBe(2)
    const { code, message } = JSON.parse(stderr).error
    expect(code).toBe('CONFIRMATION_REQUIRED')
    expect(message).toMatch(/^Replace the profile live of https:\/\/live\.example.*Use --profile NAME/)
    expect(stored().profiles).toEqual({ live: elsewhere })
  })

  it('replaces it with --yes, and leaves nothing of the other address in it', async () => {
    const { login, fresh, stored } = await beforeLogin()
    expect(await login(['--yes'])).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(JSON.stringify(stored().profiles))).toEqual({ live: fresh })
  })
})

describe('the question for the address', () => {
  it.each([
    ['takes what is typed in the place of the proposal', 'typed'],
    ['takes the proposal on Enter alone', ''],
  ])('%s', async (_name, typed) => {
    const { baseUrl, apiKey, machine } = await makeWorkspace()
    // The proposal is the address of the current profile.
    const stored = typed === '' ? baseUrl : 'http://127.0.0.1:1/api/v1'
    saveProfile(machine.world(), 'live', { baseUrl: stored, apiKey: 'msk_old' })
    const address = typed === '' ? '' : new URL(baseUrl).host
    const keys = [`${address}\r`, '\r', `${apiKey}\r`]
    const { exitCode } = await machine.run(['login', '--yes'], { keys })
    expect(exitCode).toBe(0)
    expect(readConfig(machine.world()).profiles.live).toEqual({ baseUrl, apiKey })
  })
})
