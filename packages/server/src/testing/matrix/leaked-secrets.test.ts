import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { type Db, rows } from '#platform/db/db.ts'
import type { EndpointName } from '#process/handlers.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber } from '#testing/make.ts'
import { sim, transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { call, type Sent } from './call.ts'
import { type Canary, planted } from './canaries.ts'
import { mountedAs } from './mounted.ts'

const lines: string[] = []
const refusals: string[] = []
const posts: string[] = []

const server = await startTestServer({ onLog: (line) => lines.push(line), env: { LOG_LEVEL: 'trace' } })
const canaries = planted()

/** Calls a route, keeps the response if it is an error, and returns its body. */
async function use(name: EndpointName, sent: Sent, bearer?: string) {
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  const answer = await call(server, mountedAs(name), { ...sent, headers: { ...headers, ...sent.headers } })
  if (answer.error) refusals.push(answer.text)
  return answer.text === '' ? {} : JSON.parse(answer.text)
}

/** A receiver that refuses every other post, and says in its answer what it must not see repeated. */
async function startReceiver(): Promise<string> {
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    posts.push(JSON.stringify(request.headers) + Buffer.concat(chunks).toString())
    response.writeHead(posts.length % 2 === 1 ? 500 : 200).end(canaries.receiverAnswer)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise((resolve) => receiver.close(resolve)))
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
}

/** Sends bytes that are no HTTP request, with a canary among them. */
async function sendNoise(): Promise<void> {
  const { port, hostname } = new URL(server.address)
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.end(`NOISE ${canaries.noise}\r\nX-Api-Key: ${canaries.noise}\r\n\r\n`),
    )
    socket.resume().on('close', () => resolve())
  })
}

const { name, email, password, wrongPassword, message, phones, pairedPhone, webhookPath } = canaries

const signedUp = await use('auth.signUp', { body: { name, email, password, organizationName: 'Canaries' } })
await use('auth.signUp', { body: { name, email, password, organizationName: 'Canaries' } })
await use('auth.signIn', { body: { email, password: wrongPassword } })
const { token } = await use('auth.signIn', { body: { email, password } })
await use('auth.changePassword', { body: { currentPassword: wrongPassword, newPassword: password } }, token)
await use('auth.changePassword', { body: { currentPassword: password, newPassword: password } }, token)
const { apiKey: oldKey } = await use('account.generateKey', {}, token)
await use('account.generateKey', {}, token)
const { apiKey } = await use('account.regenerateKey', {}, token)
await use('account.me', { headers: { 'x-api-key': oldKey } })
await use('account.me', { headers: { 'x-api-key': canaries.strangeKey } })
await use('account.me', { headers: { authorization: `Bearer ${canaries.strangeToken}` } })

const organizationId = String(signedUp.user.organization.id)
const containerId = await makeNumber(server, { organizationId, apiKey, ownerId: signedUp.user.id })
const { apiKey: numberKey } = await use('numbers.generateKey', { params: { containerId } }, token)
const unlinked = (await use('numbers.create', { body: { label: 'Second' } }, token)).session.id
const pairing = await eventually(
  () => use('numbers.pair', { body: { phone: pairedPhone, containerId: unlinked } }, token),
  (answer) => 'code' in answer || answer.error.code !== 'SESSION_NOT_CONNECTED',
)

const receiver = await startReceiver()
const webhookUrl = `${receiver}${webhookPath}`
const { signingSecret } = await use('webhook.set', { body: { webhookUrl } }, token)
const { signingSecret: secondSecret } = await use('webhook.regenerateSecret', { body: { overlapSeconds: 60 } }, token)
await use('webhook.set', { body: { webhookUrl: `http://${canaries.userInfo}@127.0.0.1${webhookPath}` } }, token)

const sends = Object.values(phones).map((phone) => ({ phone, message, clientReference: canaries.reference }))
const sent: string[] = []
for (const body of sends) {
  const answer = await use('alert.send', {
    body,
    headers: { 'x-api-key': numberKey, 'idempotency-key': canaries.idempotencyKey + body.phone.slice(-4) },
  })
  if (answer.messageId) sent.push(answer.messageId)
}
await use(
  'alert.send',
  { body: { phone: message, message: [message], priority: message, containerId: message } },
  token,
)
await use('alert.send', { body: `{"message": "${message}"` }, token)
await use('messages.list', { query: { search: message, limit: message } }, token)
await use('messages.list', { query: { search: message } }, token)
await use('messages.get', { params: { id: message } }, token)

// One code that is verified after a wrong one, and one through the key of the number.
const codes: string[] = []
for (const [n, key] of [apiKey, numberKey].entries()) {
  const headers = { 'x-api-key': key }
  const phone = `1310556${2000 + n}`
  const { requestId } = await use('otp.send', { body: { phone, length: 8 }, headers })
  const received = (await transcriptOf(server, containerId)).find(({ to }) => to === phone)
  const code = /\d{8}/.exec(JSON.stringify(received?.content ?? ''))?.[0] ?? ''
  const wrong = String((Number(code) + 1) % 10 ** 8).padStart(8, '0')
  codes.push(code, wrong)
  await use('otp.verify', { body: { requestId, code: wrong }, headers })
  await use('otp.verify', { body: { requestId, code }, headers })
  await use('otp.verify', { body: { requestId, code }, headers })
  await use('otp.send', { body: { phone, template: `${message} without its place` }, headers })
}

// A row that the database refuses is quoted by the database, with all that stands in it.
await rows(server.db, `alter table messages add constraint refused check (client_reference is distinct from 'refused')`)
await use('alert.send', { body: { phone: phones.read, message, clientReference: 'refused' } }, token)
await rows(server.db, 'alter table messages drop constraint refused')
// The same of what a person writes; it is stored once the database takes it again.
await rows(server.db, `alter table chat_messages add constraint refused check (text not like '%refused')`)
await sim(server, 'POST inbound', { containerId, from: phones.read, text: `${canaries.written} refused` })
await eventually(
  async () => lines.join(''),
  (log) => log.includes('delivering events of the simulated network failed'),
)
await rows(server.db, 'alter table chat_messages drop constraint refused')
await server.advance(10)
await eventually(
  async () => (await use('chats.unread', {}, token)).messages as unknown[],
  (unread) => unread.length > 0,
)
await use('chats.list', { query: { search: canaries.written } }, token)
await use('contacts.setOptOutWords', { body: { words: [message] } }, token)
await sendNoise()

interface Sending {
  readonly type: string
  readonly status: string
  readonly attempts: number
}
/** What the network refused waits for its next try; not everybody reads a code. */
function isSettled({ type, status, attempts }: Sending): boolean {
  if (status === 'queued') return attempts > 0
  return ['read', 'failed'].includes(status) || (type === 'otp' && status === 'delivered')
}
await eventually(
  async () => (await use('messages.list', { query: { limit: '100' } }, token)).messages as Sending[],
  (all) => all.every(isSettled),
)
await eventually(
  async () =>
    (await use('webhook.deliveries', { query: { limit: '100' } }, token)).deliveries as { attempts: number }[],
  (deliveries) => deliveries.length >= sent.length && deliveries.every(({ attempts }) => attempts > 0),
)
const { events } = await use('events.list', { query: { limit: '500' } }, token)
await use('auth.signOut', {}, token)

const credentials: Canary[] = [
  ['the token of the sign-up', signedUp.token],
  ['the token of the sign-in', token],
  ['the first key', oldKey],
  ['the second key', apiKey],
  ['the key of the number', numberKey],
  ['the pairing code', pairing.code],
  ['the first signing secret', signingSecret],
  ['the second signing secret', secondSecret],
  ['the password', password],
  ['the wrong password', wrongPassword],
  ['a key of no known form', canaries.strangeKey],
  ['a token of no known form', canaries.strangeToken],
  ['the user info of an address', canaries.userInfo],
]
const personal: Canary[] = [
  ['the text of messages', message],
  ['the name', name],
  ['the e-mail address', email],
  ['the path of the webhook', webhookPath],
  ['the answer of the receiver', canaries.receiverAnswer],
  ['the noise', canaries.noise],
]
/** Texts of the network's people are quoted by the event that reports them, and nowhere else. */
const quoted: Canary[] = [['what a person wrote', canaries.written]]
const numbers: Canary[] = [pairedPhone, ...Object.values(phones)].map((phone) => [`the phone ${phone}`, phone.slice(1)])

/** Every row of every table that is the service's own, as text. */
async function dumpOf(db: Db): Promise<string> {
  const tables = await rows<{ name: string }>(
    db,
    `select table_name as name from information_schema.tables where table_schema = 'public'
      and table_name not like 'sim\\_%'`,
  )
  const dump = await rows<{ row: string }>(
    db,
    tables.map(({ name: table }) => `select t::text as row from ${table} t`).join(' union all '),
  )
  return dump.map(({ row }) => row).join('\n')
}

/** The codes that stand in a text as words of their own: as part of a longer number they are chance. */
function codesIn(text: string): string[] {
  return codes.filter((code) => new RegExp(`(?<!\\d)${code}(?!\\d)`).test(text))
}

/** Returns which canaries a text contains. */
function found(all: readonly Canary[], text: string): string[] {
  return all.filter(([, canary]) => text.includes(canary)).map(([what]) => what)
}

describe('the canaries of a run', () => {
  it('were all planted, in a run that reached every part', () => {
    for (const [what, canary] of [...credentials, ...personal, ...quoted, ...numbers])
      expect([what, canary]).toEqual([what, expect.stringMatching(/.{8}/)])
    expect(sent.length).toBeGreaterThanOrEqual(3)
    expect(posts.length).toBeGreaterThanOrEqual(sent.length)
    expect(events.length).toBeGreaterThanOrEqual(sent.length)
    expect(refusals.map((text) => JSON.parse(text).error.code)).toEqual(
      expect.arrayContaining([
        'AUTH_ERROR',
        'CONFLICT',
        'INTERNAL_ERROR',
        'INVALID_ID',
        'INVALID_JSON',
        'NUMBER_NOT_ON_NETWORK',
        'NUMBER_VALIDATION_UNAVAILABLE',
        'OTP_ALREADY_VERIFIED',
        'OTP_INVALID_CODE',
        'OTP_TEMPLATE_MISSING_CODE',
        'VALIDATION_ERROR',
      ]),
    )
    expect(lines.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(20)
    expect(lines.some((line) => line.includes('"constraint":"refused"'))).toBe(true)
  })

  it('appear in no line of the log', () => {
    expect(found([...credentials, ...personal, ...quoted, ...numbers], lines.join(''))).toEqual([])
  })

  it('appear in no error', () => {
    expect(found([...credentials, ...personal, ...quoted, ...numbers], refusals.join('\n'))).toEqual([])
  })

  it('appear in no event, except the recipient and the reference that the specification puts there', () => {
    const reported = JSON.stringify(events) + posts.join('\n')
    expect(found([...credentials, ...personal], reported.replaceAll(webhookPath, ''))).toEqual([])
    expect(reported).toContain(phones.read.slice(1))
    expect(reported).toContain(canaries.reference)
    expect(reported).toContain(`"body":"${canaries.written} refused"`)
  })

  it('appear in no example of the document that describes the API', async () => {
    const response = await fetch(`${server.baseUrl}/openapi.json`)
    const document = await response.text()
    expect([response.status, document.includes('"example')]).toEqual([200, true])
    expect(found([...credentials, ...personal, ...quoted], document)).toEqual([])
    expect(codesIn(document)).toEqual([])
  })

  it('that are codes appear only on the phone they were sent to', async () => {
    expect(codes).toHaveLength(4)
    for (const code of codes) expect(code).toMatch(/^\d{8}$/)
    expect(codesIn(lines.join(''))).toEqual([])
    expect(codesIn(refusals.join('\n'))).toEqual([])
    expect(codesIn(JSON.stringify(events) + posts.join('\n'))).toEqual([])
    expect(codesIn(await dumpOf(server.db))).toEqual([])
  })

  it('that are credentials are in no table in clear text', async () => {
    const text = await dumpOf(server.db)
    expect(text).toContain(message)
    expect(found(credentials, text)).toEqual([])
  })
})
