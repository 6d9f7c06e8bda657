import { newSecretsKeys } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { isAtLeast } from '#networks/gateway/waha/manage.ts'
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
    const listed = JSON.parse((await run(['list', '--json'])).out) as {
      url: string
      capacity: number
      draining: boolean
    }[]
    expect(listed.find(({ url }) => url === fake.url)).toMatchObject({ capacity: 9, draining: false, engine: 'GOWS' })
    expect((await run(['drain', fake.url])).out).toContain('Its 0 numbers stay')
    expect((await run(['list'])).out).toMatch(new RegExp(`${fake.url} +GOWS +2026.9.2 +0/9 +draining`))
  })

  it('advises against NOWEB, and says what it lacks', async () => {
    const { fake } = await openWahaNetwork(db, { engine: 'NOWEB' })
    const { out } = await run(['add', fake.url], { env: { WAHA_API_KEY: fake.key } })
    expect(out).toContain('GOWS is recommended')
    expect(out).toContain('passkey')
  })

  it.each([
    [{ version: '2026.4.2' }, 'lacks version 2026.4.3 or newer (it has 2026.4.2)'],
    [{ version: '2025.12.9' }, 'lacks version 2026.4.3'],
    [{ key: 'another key' }, 'refuses this key'],
  ])('refuses %j', async (options, sentence) => {
    const { fake } = await openWahaNetwork(db, options)
    const { out, err, exitCode } = await run(['add', fake.url], { env: { WAHA_API_KEY: 'the-key-of-the-fake-waha' } })
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 1 })
    expect(err).toContain(sentence)
    expect(err).not.toContain('the-key-of')
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
