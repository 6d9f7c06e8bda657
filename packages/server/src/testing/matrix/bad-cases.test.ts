import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '#testing/start-server.ts'
import { call } from './call.ts'
import { mountedAs } from './mounted.ts'
import { makeOtherTenant } from './other-tenant.ts'
import { watchStored } from './stored.ts'

// Nothing private may be reached here, as where the service runs for others.
const server = await startTestServer({ worker: false, env: { ALLOW_PRIVATE_TARGETS: '' } })
await server.services.clock.freeze()
const { owner } = await makeOtherTenant(server)
const stored = await watchStored(server.db)
const send = mountedAs('alert.send')
const setWebhook = mountedAs('webhook.set')
const phone = '+12025550100'

describe('POST /alert/send', () => {
  it.each([
    ['a phone of letters', { message: 'hi', phone: 'call me maybe' }, 'VALIDATION_ERROR', 'phone'],
    ['a phone of other digits', { message: 'hi', phone: '+١٢٠٢٥٥٥٠١٠٠' }, 'VALIDATION_ERROR', 'phone'],
    ['a bare @lid', { message: 'hi', phone: '      @lid' }, 'VALIDATION_ERROR', 'phone'],
    ['an unknown containerId', { message: 'hi', phone, containerId: randomUUID() }, 'NOT_FOUND', undefined],
    ['a recipient off the network', { message: 'hi', phone: '+12025550101' }, 'NUMBER_NOT_ON_NETWORK', undefined],
  ])('refuses %s and stores no message', async (_what, body, code, field) => {
    await stored.forget()
    const { error } = await call(server, send, { body, headers: owner })
    expect(error?.code).toBe(code)
    if (field !== undefined) expect(Object.keys(error?.details ?? {})).toEqual([field])
    await stored.expectNone('messages')
  })

  it('ignores fields it does not know', async () => {
    const { status } = await call(server, send, { body: { message: 'hi', phone, surprise: [1] }, headers: owner })
    expect(status).toBe(201)
  })
})

const privateAddresses = [
  'http://127.0.0.1/',
  'http://127.0.0.1:8080/hook',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://[::]/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127.0.0.1./',
  'http://localhost/',
  'http://localhost./',
  'http://hook.localhost/',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://192.0.0.1/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[::127.0.0.1]/',
  'http://[2001:db8::1]/',
  'http://database.internal/',
  'http://database/',
]
const strangeAddresses = [
  'https://user:password@receiver.example/',
  'ftp://receiver.example/',
  'file:///etc/passwd',
  'data:text/plain,hook',
  'javascript:alert(1)',
  'https://receiver.example:22/',
  'https://receiver.example/a\r\nHost: other',
  'https://receiver.example/a b',
  'https://',
  '//receiver.example/',
  'receiver.example',
]

describe('PUT /me/webhook', () => {
  it.each([...privateAddresses, ...strangeAddresses])('refuses %j and stores nothing', async (webhookUrl) => {
    await stored.forget()
    const { error } = await call(server, setWebhook, { body: { webhookUrl }, headers: owner })
    expect(error?.code).toBe('VALIDATION_ERROR')
    expect(error?.issues).toEqual([{ field: 'webhookUrl', code: 'invalid_url', message: expect.any(String) }])
    await stored.expectNone()
  })

  it('takes a public one, so that the others are refused for what they are', async () => {
    for (const webhookUrl of [
      'https://receiver.example/hook',
      'http://93.184.215.14:8080/',
      'https://[2606:4700::1]/',
    ]) {
      const { status } = await call(server, setWebhook, { body: { webhookUrl }, headers: owner })
      expect([webhookUrl, status]).toEqual([webhookUrl, 200])
    }
  })
})
