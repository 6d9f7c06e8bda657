import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HostConfigError, readHostConfig } from './config.ts'
import { createHostLog } from './log.ts'
import { filterOutput } from './output-filter.ts'

const needed = { DATABASE_URL: 'postgres:///x', SECRETS_KEYS: newSecretsKeys() }
const testNetwork = { GATEWAY_NETWORK_ROOT: 'a'.repeat(64), GATEWAY_NETWORK_FILES: 'localhost:7071' }

describe('the output of a host', () => {
  it('contains our log lines and nothing that a library writes', () => {
    const methods = { ...console }
    onTestFinished(() => void Object.assign(console, methods))
    const stream = new PassThrough() as unknown as NodeJS.WriteStream
    const write = filterOutput([stream])
    console.info('Closing session:', { privKey: 'a key' })
    stream.write('a text of a library')
    createHostLog('info', write).info({ event: 'x' }, 'ours')
    expect((stream as unknown as PassThrough).read()?.toString()).toMatch(/^\{"level":"info",.*"msg":"ours"\}\n$/)
  })

  it('contains no message of a foreign error, which could quote a text', () => {
    let line = ''
    const error = Object.assign(new Error('a secret text'), { code: '23505', detail: 'a secret row' })
    createHostLog('info', (text) => (line = text)).warn({ event: 'x', err: error }, 'failed')
    expect(line).not.toContain('secret')
    expect(JSON.parse(line)).toMatchObject({ err: { name: 'Error', code: '23505' } })
  })
})

describe('the settings of a host', () => {
  it.each([
    [{ DATABASE_URL: '' }, 'DATABASE_URL'],
    [{ SECRETS_KEYS: 'x' }, 'SECRETS_KEYS: entry 1 is not of the form id:base64 with 32 bytes'],
    [{ GATEWAY_CAPACITY: '0' }, 'GATEWAY_CAPACITY: must be a whole number from 1 to 2000'],
    [{ GATEWAY_HOST_LISTEN: 'x' }, 'GATEWAY_HOST_LISTEN: must be like 127.0.0.1:7070'],
    [
      { ...testNetwork, GATEWAY_NETWORK_FILES: 'evil.example:443' },
      'GATEWAY_NETWORK_FILES: must be like localhost:7071',
    ],
    [{ GATEWAY_NETWORK_FILES: 'localhost:7071' }, 'GATEWAY_NETWORK_FILES: is for a test network'],
    [{ ...testNetwork, NODE_ENV: 'production' }, 'GATEWAY_NETWORK_FILES: is for a test network'],
    [{ GATEWAY_METRICS_LISTEN: '9475' }, 'GATEWAY_METRICS_LISTEN: must be like 127.0.0.1:9475'],
    [{ GATEWAY_WEB_VERSION: '2' }, 'GATEWAY_WEB_VERSION: must be like 2.3000.1043857760'],
  ])('refuse %o', (env, sentence) => {
    const read = () => readHostConfig({ ...needed, ...env })
    expect(read).toThrow(HostConfigError)
    expect(read).toThrow(sentence)
  })

  it('take the secrets from files, as systemd hands them over', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'host-settings-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'secrets-keys')
    writeFileSync(file, `${needed.SECRETS_KEYS}\n`)
    const { SECRETS_KEYS, DATABASE_URL } = needed
    expect(readHostConfig({ DATABASE_URL, SECRETS_KEYS_FILE: file }).secretsKeys).toBe(SECRETS_KEYS)
    const refused = (env: Record<string, string>) => expect(() => readHostConfig({ DATABASE_URL, ...env }))
    refused({ SECRETS_KEYS, SECRETS_KEYS_FILE: file }).toThrow('SECRETS_KEYS_FILE: SECRETS_KEYS is set too')
    refused({ SECRETS_KEYS_FILE: `${file}-none` }).toThrow('SECRETS_KEYS_FILE: cannot be read (ENOENT)')
  })

  it('have defaults', () => {
    expect(readHostConfig(needed)).toMatchObject({
      capacity: 250,
      leaseMs: 15_000,
      networkRoot: null,
      metrics: null,
      trace: null,
      loginSpreadMs: 300_000,
      listen: { host: '127.0.0.1', port: 0 },
      fileHosts: { host: 'mmg.whatsapp.net', privateRanges: [] },
    })
  })

  it('name the file host of a test network', () => {
    expect(readHostConfig({ ...needed, ...testNetwork })).toMatchObject({ fileHosts: { host: 'localhost:7071' } })
  })
})
