import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const key = newSecretsKeys()

function complaint(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'none'
}

describe('the settings of a process', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT: must be a whole number from 0 to 65535'],
    [{ PORT: '' }, 'PORT: must be a whole number from 0 to 65535'],
    [{ PORT: '65536' }, 'PORT: must be a whole number from 0 to 65535'],
    [{ PORT: '80.5' }, 'PORT: must be a whole number from 0 to 65535'],
    [{ DATABASE_POOL: '1' }, 'DATABASE_POOL: must be a whole number from 2 to 200'],
    [{ DATABASE_POOL: '201' }, 'DATABASE_POOL: must be a whole number from 2 to 200'],
    [{ SECRETS_KEYS: '' }, 'SECRETS_KEYS: must not be empty'],
    [{ SECRETS_KEYS: 'changeme' }, 'SECRETS_KEYS: entry 1 is not of the form id:base64 with 32 bytes'],
    [{ SECRETS_KEYS: `${key},2:c2hvcnQ=` }, 'SECRETS_KEYS: entry 2 is not of the form id:base64 with 32 bytes'],
    [{ SECRETS_KEYS: `${key},${key}` }, 'SECRETS_KEYS: names one key id twice'],
    [
      { TRUSTED_PROXIES: '10.0.0.0/8, proxy' },
      'TRUSTED_PROXIES: must be addresses or ranges like 10.0.0.0/8, separated by commas',
    ],
    [{ SERVICES: 'api,jobs' }, 'SERVICES: must be api or worker'],
    [{ SERVICES: ',' }, 'SERVICES: must be api, worker or both'],
    [{ GATEWAY: 'pigeons' }, 'GATEWAY: must be simulator, direct or waha'],
    [{ UNSAFE_DISABLE_PACING: 'no' }, 'UNSAFE_DISABLE_PACING: must be true or false (1, 0, on and off work too)'],
    [{ SIM_CONTROL: 'yes' }, 'SIM_CONTROL: must be true or false (1, 0, on and off work too)'],
    [{ MSGCTL_PORT: 'abc', PORT: '80' }, 'MSGCTL_PORT: must be a whole number from 0 to 65535'],
    [{ SIM_TOKEN: 'short' }, 'SIM_TOKEN: must be 16 to 200 characters without spaces'],
    [{ SIM_SPEED: 'fast' }, 'SIM_SPEED: must be a number from 0 to 1000'],
    [
      { NODE_ENV: 'test', CRASH_AT: 'send.nowhere:1' },
      'CRASH_AT: must be the name of a crash point, a colon and a number from 1; or work:<kind>@<owner>',
    ],
    [{ SIGNUP: 'maybe' }, 'SIGNUP: must be open or closed'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV: must be production, development or test'],
    [
      { MAIL_FROM: 'no at' },
      "MAIL_FROM: must be one line with an address, like MAIL_FROM='Msgctl <no-reply@example.com>'",
    ],
  ])('refuses %o in a sentence', (env, sentence) => {
    expect(complaint(env)).toBe(`These settings cannot be used:\n  ${sentence}`)
  })

  it.each(['db.internal', 'mysql://u:hidden@h/d', 'postgres://u:hid#den@h/d', 'postgres://u:hidden%zz@h/d'])(
    'refuses %s as DATABASE_URL and does not repeat its password',
    (url) => {
      expect(complaint({ DATABASE_URL: url })).toMatch(/DATABASE_URL: must be like postgres:/)
      expect(complaint({ DATABASE_URL: url })).not.toContain('hid')
    },
  )

  it('names every wrong setting at once', () => {
    expect(complaint({ PORT: 'x', SIM_CONTROL: 'x' }).split('\n')).toHaveLength(3)
  })

  it('reads what is right', () => {
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: 'postgresql:///msgctl?host=/var/run/postgresql',
      DATABASE_POOL: '200',
      SECRETS_KEYS: key,
      TRUSTED_PROXIES: '10.0.0.1, fd00::/8',
      SIM_SPEED: '0.5',
      SIM_SEED: '-7',
    })
    expect(config).toMatchObject({
      port: 0,
      databasePool: 200,
      secretsKeys: key,
      trustedProxies: ['10.0.0.1', 'fd00::/8'],
    })
    expect(config.simulator).toMatchObject({ speed: 0.5, seed: -7 })
    expect(readConfig({})).toMatchObject({ port: 3000, databasePool: 20, databaseUrl: null })
  })

  it.each([
    ['true', true],
    ['1', true],
    ['on', true],
    ['false', false],
    ['0', false],
    ['off', false],
  ])('reads %s as a switch', (text, isOn) => {
    const config = readConfig({
      SIM_CONTROL: text,
      SIM_AUTOLINK: text,
      UNSAFE_DISABLE_PACING: text,
      UNSAFE_DISABLE_RATE_LIMIT: text,
    })
    expect(config.simulator).toMatchObject({ control: isOn, autolink: isOn })
    expect(config).toMatchObject({ pacing: !isOn, changeLimit: !isOn })
  })

  it('takes an optional setting that is empty for one that is not set', () => {
    const empty = { NODE_ENV: '', METRICS_PORT: '', SMTP_URL: '', AI_KEY: '', TRANSCRIBE_KEY: '' }
    expect(readConfig(empty)).toMatchObject({ production: false, metrics: null, mail: { smtpUrl: null } })
  })

  it('prefers names that begin with MSGCTL_', () => {
    expect(readConfig({ MSGCTL_HOST: '127.0.0.2', HOST: 'shared.example' }).host).toBe('127.0.0.2')
    expect(readConfig({ MSGCTL_DATA_DIR: '/var/lib/msgctl', SERVICES: 'api' })).toMatchObject({
      dataDir: '/var/lib/msgctl',
      services: ['api'],
    })
  })

  it.each([
    'UNSAFE_DISABLE_PACING=on',
    'UNSAFE_DISABLE_RATE_LIMIT=true',
    'SIM_CONTROL=1',
    'ALLOW_PRIVATE_TARGETS=10.0.0.0/8',
  ])('does not allow %s in production', (setting) => {
    const [name = '', value = ''] = setting.split('=')
    expect(complaint({ NODE_ENV: 'production', [name]: value })).toMatch(new RegExp(`NODE_ENV=production: ${name}`))
  })

  it('simulates the network outside of production only, unless GATEWAY says so', () => {
    expect(readConfig({}).gateway).toBe('simulator')
    expect(readConfig({ NODE_ENV: 'production', GATEWAY: 'simulator' }).gateway).toBe('simulator')
    expect(complaint({ NODE_ENV: 'production' })).toMatch(/^With NODE_ENV=production GATEWAY has no default\. Set it/)
    expect(complaint({ GATEWAY: 'pigeon' })).toMatch(/GATEWAY: must be simulator/)
  })

  it('keeps what grows for ever or for a number of days', () => {
    const usual = { messagesDays: null, chatsDays: null, eventsDays: 30, activityDays: 400 }
    expect(readConfig({}).retention).toEqual(usual)
    expect(readConfig({ RETENTION_MESSAGES_DAYS: '90' }).retention).toEqual({ ...usual, messagesDays: 90 })
    expect(complaint({ RETENTION_EVENTS_DAYS: '29' })).toMatch(/RETENTION_EVENTS_DAYS: must be a whole number from 30/)
  })

  it('lets a process be made to die in tests only', () => {
    const CRASH_AT = 'queue.taken-by-network:3'
    expect(readConfig({ NODE_ENV: 'test', CRASH_AT }).crashAt).toEqual({ point: 'queue.taken-by-network', nth: 3 })
    expect(readConfig({ NODE_ENV: 'test' }).crashAt).toBeNull()
    for (const NODE_ENV of ['production', 'development', ''])
      expect(complaint({ NODE_ENV, CRASH_AT })).toBe('Allowed with NODE_ENV=test only: CRASH_AT')
    expect(complaint({ CRASH_AT })).toBe('Allowed with NODE_ENV=test only: CRASH_AT')
  })
})

describe('a setting in a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'settings-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'secrets-keys')
  writeFileSync(file, `${key}\n`)

  it('is read without its line break', () => {
    expect(readConfig({ SECRETS_KEYS_FILE: file }).secretsKeys).toBe(key)
    expect(readConfig({ MSGCTL_SECRETS_KEYS_FILE: file }).secretsKeys).toBe(key)
  })

  it('can be the key of a model, of speech recognition, and an empty file', () => {
    const used = { AI_URL: 'https://ai.example', AI_MODEL: 'm', AI_PRICE_IN: '1', AI_PRICE_OUT: '1', AI_KEY_FILE: file }
    const heard = { TRANSCRIBE_URL: 'https://ai.example', TRANSCRIBE_MODEL: 'm', TRANSCRIBE_PRICE_MINUTE: '1' }
    const { ai } = readConfig({ ...used, ...heard, TRANSCRIBE_KEY_FILE: file })
    expect(ai).toMatchObject({ model: { key }, transcriber: { key } })
    const none = path.join(folder, 'none')
    writeFileSync(none, '\n')
    expect(readConfig({ ...used, AI_KEY_FILE: none, SMTP_URL_FILE: none })).toMatchObject({
      ai: { model: { key: null } },
      mail: { smtpUrl: null },
    })
  })

  it('leaves the variable as it is where the file of an optional secret is empty', () => {
    const empty = path.join(folder, 'empty')
    writeFileSync(empty, '\n')
    const smtpUrl = 'smtps://mail.example'
    const files = { SMTP_URL_FILE: empty, AI_KEY_FILE: empty, TRANSCRIBE_KEY_FILE: empty }
    expect(readConfig({ ...files, SMTP_URL: smtpUrl }).mail.smtpUrl).toBe(smtpUrl)
    writeFileSync(empty, `${smtpUrl}\n`)
    expect(readConfig({ SMTP_URL_FILE: empty, SMTP_URL: '' }).mail.smtpUrl).toBe(smtpUrl)
  })

  it.each([
    [{ SMTP_URL_FILE: file, SMTP_URL: 'smtps://mail.example' }, 'SMTP_URL_FILE: SMTP_URL is set too; set one of them'],
    [{ SECRETS_KEYS_FILE: file, SECRETS_KEYS: key }, 'SECRETS_KEYS_FILE: SECRETS_KEYS is set too; set one of them'],
    [{ SMTP_URL_FILE: `${file}-none` }, 'SMTP_URL_FILE: cannot be read (ENOENT)'],
    [{ DATABASE_URL_FILE: folder }, 'DATABASE_URL_FILE: cannot be read (EISDIR)'],
  ])('is refused in a sentence: %o', (env, sentence) => {
    expect(complaint(env)).toBe(`These settings cannot be used:\n  ${sentence}`)
  })

  it('is judged like one of the environment, and not repeated', () => {
    expect(complaint({ DATABASE_URL_FILE: file })).toMatch(/DATABASE_URL: must be like postgres:/)
    expect(complaint({ DATABASE_URL_FILE: file })).not.toContain(key)
  })
})
