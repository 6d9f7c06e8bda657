import { newSecretsKeys } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { isAtLeast } from '#networks/gateway/waha/servers/version.ts'
import { rows } from '#platform/db/db.ts'
import { testDatabase } from '#testing/database.ts'
import { openWahaNetwork } from '#testing/waha/network.ts'
import type { Terminal } from './terminal.ts'
import { wahaCommands } from './waha-commands.ts'

const { db, url: databaseUrl } = await testDatabase()
const secretsKeys = newSecretsKeys()

/** Runs `msgctl-server waha ...`, and returns what the operator would see. */
async function run(
  words: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
) {
  const seen = { out: '', err: '', exitCode: 0 }
  const terminal: Terminal = {
    env: { DATABASE_URL: databaseUrl, SECRETS_KEYS: secretsKeys, ...env },
    write: (text) => {
      seen.out += text
    },
    complain: (text) => {
      seen.err += text
    },
    readInput: async () => input,
    ask: async () => null,
    end: (exitCode) => {
      seen.exitCode = exitCode
    },
    leave: (exitCode) => {
      throw new Error(`left with ${exitCode}`)
    },
  }
  await wahaCommands(terminal).parseAsync([...words], { from: 'user' })
  return seen
}

describe('waha add', () => {
  it('adds a server with the key from the environment or from standard input, and drain stops its use', async () => {
    const { fake } = await openWahaNetwork(db)
    const env = { WAHA_API_KEY: fake.key }
    const added = await run(['add', fake.url, '--capacity', '7'], { env })
    expect(added.out).toBe(`Added ${fake.url} (GOWS 2026.9.2) for 7 numbers. It has 0.\n`)
    expect((await run(['add', `${fake.url}/`, '--capacity', '9'], { input: `${fake.key}\n` })).out).toContain(
      'for 9 numbers',
    )
    const without = await run(['add', fake.url, '--capacity', '9', '--no-groups'], { env })
    expect(without.out).toContain('Its numbers receive nothing of groups.\n')
    const listed = JSON.parse((await run(['list', '--json'])).out) as {
      url: string
      capacity: number
      draining: boolean
      groups: boolean
    }[]
    expect(listed.find(({ url }) => url === fake.url)).toMatchObject({
      capacity: 9,
      draining: false,
      engine: 'GOWS',
      groups: false,
    })
    expect((await run(['drain', fake.url])).out).toContain('Its 0 numbers stay')
    expect((await run(['list'])).out).toMatch(new RegExp(`${fake.url} +GOWS +2026.9.2 +0/9 +draining`))
  })

  it('keeps what was not given when it changes the key of a known server', async () => {
    const { fake } = await openWahaNetwork(db)
    const env = { WAHA_API_KEY: fake.key }
    const shown = async () => (await run(['list'])).out.split('\n').find((line) => line.startsWith(`${fake.url} `))
    await run(['add', fake.url, '--capacity', '120', '--no-groups'], { env })
    expect((await run(['add', fake.url], { env })).out).toContain(
      'for 120 numbers. It has 0.\nIts numbers receive nothing of groups.\n',
    )
    expect(await shown()).toContain('0/120')
    expect((await run(['add', fake.url, '--groups'], { env })).out).not.toContain('groups')
    expect((await run(['add', fake.url], { env })).out).not.toContain('groups')
  })

  it('takes a new server for 50 numbers, with groups', async () => {
    const { fake } = await openWahaNetwork(db)
    await rows(db, 'delete from waha_hosts where url = :url', { url: fake.url })
    const { out } = await run(['add', fake.url], { env: { WAHA_API_KEY: fake.key } })
    expect(out).toBe(`Added ${fake.url} (GOWS 2026.9.2) for 50 numbers. It has 0.\n`)
  })

  it.each([
    [{ version: '2026.6.3' }, 'The server lacks version 2026.7.1 or newer (it has 2026.6.3)'],
    [{ version: '2026.5.1' }, 'WAHA Core 2026.5.1 has one session only, named default'],
  ])('changes the key of a known server of %j, and warns about the version', async (options, sentence) => {
    const { fake } = await openWahaNetwork(db, options)
    const { out, err, exitCode } = await run(['add', fake.url], { env: { WAHA_API_KEY: fake.key } })
    expect({ err, exitCode }).toEqual({ err: '', exitCode: 0 })
    expect(out).toMatch(/^Added /)
    expect(out).toContain(sentence)
    expect(out).toContain('Use the image devlikeapro/waha:gows-2026.9.2')
  })

  it('makes a session for a test and deletes it again', async () => {
    const { fake } = await openWahaNetwork(db)
    await run(['add', fake.url], { env: { WAHA_API_KEY: fake.key } })
    const test = expect.stringMatching(/^DELETE \/api\/sessions\/[0-9a-f-]{36}$/)
    expect(fake.calls).toContain('POST /api/sessions')
    expect(fake.calls).toContainEqual(test)
  })

  it.each([
    ['the engine NOWEB', { engine: 'NOWEB' }, 'The engine NOWEB is not recommended'],
    ['the default lifetime of files', { filesLifetime: null }, 'after 180 s. Set WHATSAPP_FILES_LIFETIME=1209600'],
    ['a short lifetime of files', { filesLifetime: '86400' }, 'after 86400 s. Set WHATSAPP_FILES_LIFETIME=1209600'],
    ['a GOWS that may link no phone', { version: '2026.8.2' }, 'Use WAHA 2026.9.2 or newer'],
  ] as const)('warns about %s', async (_what, options, sentence) => {
    const { fake } = await openWahaNetwork(db, options)
    const { out, exitCode } = await run(['add', fake.url], { env: { WAHA_API_KEY: fake.key } })
    expect(out).toMatch(/^Added /)
    expect(out).toContain(sentence)
    expect(exitCode).toBe(0)
  })

  it.each(['1209600', '0'])('says nothing about files that are kept for %s s', async (filesLifetime) => {
    const { fake } = await openWahaNetwork(db, { filesLifetime })
    expect((await run(['add', fake.url], { env: { WAHA_API_KEY: fake.key } })).out.split('\n')).toHaveLength(2)
  })

  it('says that it cannot see how long files are kept, and shows nothing of the environment', async () => {
    const { fake } = await openWahaNetwork(db)
    fake.failNext({ path: /environment/, status: 403, body: () => ({ message: 'Forbidden', key: fake.key }) })
    const { out, err } = await run(['add', fake.url], { env: { WAHA_API_KEY: fake.key } })
    expect(out).toContain('does not show how long the server keeps the files')
    expect(out + err).not.toContain(fake.key)
  })

  it.each([
    [{ version: '2026.6.3' }, 'lacks version 2026.7.1 or newer (it has 2026.6.3)'],
    [{ version: '2025.12.9', tier: 'PLUS' }, 'lacks version 2026.7.1'],
    [{ version: '2026.5.1' }, 'has one session only, named default'],
    [{ key: 'another key' }, 'refuses this key'],
  ] as const)('refuses %j, and says what to do', async (options, sentence) => {
    const { fake } = await openWahaNetwork(db, options)
    await rows(db, 'delete from waha_hosts where url = :url', { url: fake.url })
    const { out, err, exitCode } = await run(['add', fake.url], { env: { WAHA_API_KEY: 'the-key-of-the-fake-waha' } })
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 1 })
    expect(err).toContain(sentence)
    expect(err).toMatch(/Use (?:the image devlikeapro\/waha:gows-2026|its WAHA_API_KEY)/)
    expect(err).not.toContain('the-key-of')
  })

  it.each([
    [403, 'may not make sessions'],
    [500, 'made no session for a test'],
  ])('refuses a server that responds with %i to a new session', async (status, sentence) => {
    const { fake } = await openWahaNetwork(db)
    fake.failNext({ path: /sessions\/[0-9a-f-]{36}/, status, body: () => ({ message: 'no' }) })
    const { err, exitCode } = await run(['add', fake.url], { env: { WAHA_API_KEY: fake.key } })
    expect([exitCode, err]).toEqual([1, expect.stringContaining(sentence)])
    // It was added by the test itself, for more numbers.
    expect((await run(['list'])).out).toMatch(new RegExp(`${fake.url}.* 0/10000 `))
  })

  it('refuses an address where nothing listens, a missing key, and missing SECRETS_KEYS', async () => {
    const { fake } = await openWahaNetwork(db)
    const env = { WAHA_API_KEY: fake.key }
    expect((await run(['add', 'http://127.0.0.1:1'], { env })).err).toContain(
      'No WAHA server responds at http://127.0.0.1:1',
    )
    expect((await run(['add', fake.url])).err).toContain('The key of the server is missing')
    expect((await run(['drain', 'http://127.0.0.1:1'])).err).toContain('There is no WAHA server')
  })
})

it.each([
  ['2026.4.3', true],
  ['2026.4.2', false],
  ['2026.5.0', true],
  ['2027.1.1', true],
  ['2025.12.31', false],
  ['2026.4.3-rc1', true],
  ['soon', false],
])('%s is new enough: %s', (version, isEnough) => {
  expect(isAtLeast(version, [2026, 4, 3])).toBe(isEnough)
})
