import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { configPath, readConfig, saveProfile, saveSession, updateConfig } from '../config/config-file.ts'
import { findProject, replaceProjectKey } from '../config/project-file.ts'
import { testMachine } from '../testing/machine.ts'

const good = {
  baseUrl: 'http://127.0.0.1:3000/api/v1',
  apiKey: 'msk_a',
  owner: { email: 'a@b.example', password: 'p' },
}

function projectIn(folder: string, content: unknown, mode = 0o600): string {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, '.msgctl.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  chmodSync(file, mode)
  return file
}

describe('the configuration file', () => {
  it('is readable by its owner only, as its folder is, and leaves no half-written file', () => {
    const world = testMachine().world()
    saveProfile(world, 'main', { baseUrl: 'https://here.example/api/v1', apiKey: 'msk_a' })
    const file = configPath(world)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
    expect(readdirSync(path.dirname(file))).toEqual(['config.json'])
  })

  it('stands where XDG_CONFIG_HOME says, unless that is a relative path', () => {
    const machine = testMachine()
    const under = (value: string) => configPath(machine.world({ env: { XDG_CONFIG_HOME: value } }))
    expect(under('/etc/somewhere')).toBe('/etc/somewhere/msgctl/config.json')
    expect(under('somewhere')).toBe(path.join(machine.home, '.config/msgctl/config.json'))
  })

  it('makes a stored profile the current one and keeps the others', () => {
    const world = testMachine().world()
    saveProfile(world, 'a', { baseUrl: 'https://a.example/api/v1' })
    saveProfile(world, 'b', { baseUrl: 'https://b.example/api/v1' })
    expect(readConfig(world)).toMatchObject({ current: 'b', profiles: { a: {}, b: {} } })
  })

  it('forgets a session that no longer works, and those whose time is over', () => {
    const world = testMachine().world()
    saveSession(world, 'old', { token: 's', expiresAt: '2026-10-31T00:00:00Z' })
    saveSession(world, 'one', { token: 't', expiresAt: '2026-12-01T00:00:00Z' })
    saveSession(world, 'two', { token: 'u', expiresAt: '2026-12-01T00:00:00Z' })
    saveSession(world, 'one', undefined)
    expect(Object.keys(readConfig(world).sessions)).toEqual(['two'])
  })

  it('refuses what is not JSON, and takes nothing out of a file of another shape', () => {
    const world = testMachine().world()
    updateConfig(world, (config) => config)
    writeFileSync(configPath(world), '{"profiles":{"__proto__":{"baseUrl":"x"},"bad":7},"current":3}')
    const read = readConfig(world)
    expect(read.current).toBeUndefined()
    expect(read.profiles.bad).toBeUndefined()
    writeFileSync(configPath(world), 'nonsense')
    expect(() => readConfig(world)).toThrow(/is not JSON/)
  })

  it('that is broken does not stand before a wrong word', async () => {
    const machine = testMachine()
    updateConfig(machine.world(), (config) => config)
    writeFileSync(configPath(machine.world()), 'nonsense')
    const { stderr, exitCode } = await machine.run(['nubmers'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Unknown command 'nubmers'")])
  })
})

describe('the project file', () => {
  it('is found from a folder below it', () => {
    const machine = testMachine()
    const file = projectIn(machine.home, good)
    const cwd = path.join(machine.home, 'deep/below')
    mkdirSync(cwd, { recursive: true })
    expect(findProject({ ...machine.world(), cwd })).toEqual({ project: { file, ...good } })
  })

  it('is the nearest one, also when that one is refused: an outer one is not meant for this folder', () => {
    const machine = testMachine()
    projectIn(machine.home, good)
    const cwd = path.join(machine.home, 'inner')
    projectIn(cwd, 'nonsense')
    expect(findProject({ ...machine.world(), cwd })).toMatchObject({ refused: 'it is not JSON' })
  })

  const refused: readonly { what: string; content: unknown; mode?: number; why: RegExp }[] = [
    { what: 'a file writable by its group', content: good, mode: 0o660, why: /other users can write/ },
    { what: 'a file writable by all users', content: good, mode: 0o602, why: /other users can write/ },
    {
      what: 'an address in clear on another machine',
      content: { ...good, baseUrl: 'http://evil.example/api/v1' },
      why: /neither https nor on this machine/,
    },
    {
      what: 'an address that only looks local',
      content: { ...good, baseUrl: 'http://127.0.0.1.evil.example/api/v1' },
      why: /neither https nor on this machine/,
    },
    {
      what: 'an address that is none',
      content: { ...good, baseUrl: 'file:///etc/passwd' },
      why: /not an http or https address/,
    },
    { what: 'a file without an address', content: { apiKey: 'msk_a' }, why: /no baseUrl/ },
    { what: 'null', content: 'null', why: /no baseUrl/ },
    { what: 'a file that is not JSON', content: '{', why: /not JSON/ },
    { what: 'a file of more than 64 KiB', content: ' '.repeat(65 * 1024) + JSON.stringify(good), why: /not JSON/ },
  ]

  it.each(refused)('refuses $what', ({ content, mode, why }) => {
    const machine = testMachine()
    projectIn(machine.home, content, mode)
    expect(findProject(machine.world())).toMatchObject({ refused: expect.stringMatching(why) })
  })

  it.runIf(process.getuid)('stops a command when it is refused, and is explained', async () => {
    const machine = testMachine()
    saveProfile(machine.world(), 'live', { baseUrl: 'http://127.0.0.1:1/api/v1', apiKey: 'msk_live' })
    const file = projectIn(machine.home, good, 0o666)
    const stopped = await machine.run(['send', '+12025550100', 'hi'])
    expect(stopped).toMatchObject({ stdout: '', exitCode: 4 })
    expect(stopped.stderr).toContain(`Cannot use ${file}: other users can write to it (run chmod 600).`)
    const explained = await machine.run(['config', 'explain', '--output', 'plain'])
    expect(explained).toMatchObject({ stderr: '', exitCode: 0 })
    expect(explained.stdout).toContain('not used: other users can write to it')
    expect(explained.stdout).toContain('live: http://127.0.0.1:1/api/v1')
  })

  it.runIf(process.getuid)('refuses a file of another user', () => {
    const machine = testMachine()
    const file = projectIn(machine.home, good)
    // Only root can give files away; anybody else pretends to be another user.
    if (process.getuid?.() === 0) chownSync(file, 12345, 12345)
    const uid = statSync(file).uid + 1
    expect(findProject({ ...machine.world(), uid })).toMatchObject({ refused: 'it belongs to another user' })
  })

  it('may be readable by all, and of https anywhere', () => {
    const machine = testMachine()
    projectIn(machine.home, { ...good, baseUrl: 'https://there.example/api/v1' }, 0o644)
    expect(findProject(machine.world())).toMatchObject({ project: { baseUrl: 'https://there.example/api/v1' } })
  })

  it('keeps everything else when its key is replaced, and stays private', () => {
    const machine = testMachine()
    const file = projectIn(machine.home, { ...good, note: 'mine' })
    replaceProjectKey(file, 'msk_new')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...good, note: 'mine', apiKey: 'msk_new' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})
