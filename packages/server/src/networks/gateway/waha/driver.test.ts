import { Readable } from 'node:stream'
import type { Content } from '@msgctl/network/content'
import { GatewayError } from '@msgctl/network/errors'
import type { GatewaySession, NetAddress } from '@msgctl/network/session'
import { expect, it } from 'vitest'
import { transcript, transcriptQuery } from '#networks/simulator/control/transcript.ts'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { openWahaNetwork, type WahaNetwork } from '#testing/waha/network.ts'
import { failureTable } from './errors.ts'

const { db } = await testDatabase()
const to: NetAddress = { kind: 'phone', digits: '12025550100' }
const canary = 'canary-7f3a the words of a message'

async function linked(network: WahaNetwork): Promise<GatewaySession> {
  const session = network.newNumber()
  await network.driver.start(session)
  await becomes(network, session, 'SCAN_QR_CODE')
  await network.link(session)
  return session
}

function becomes({ driver }: WahaNetwork, session: GatewaySession, status: string) {
  return eventually(
    () => driver.state(session),
    (state) => state.status === status,
  )
}

function send(network: WahaNetwork, session: GatewaySession, content: Content = { kind: 'text', text: canary }) {
  return network.driver.send(session, to, content, { clientId: crypto.randomUUID(), timeoutMs: 10_000 })
}

async function failureOf(call: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GatewayError)) throw new Error(`it did not fail as a driver does: ${error}`)
  return error
}

it.each([
  [422, (request: object) => ({ error: 'no', status: 'STARTING', expected: ['WORKING'], request })],
  [404, (request: object) => ({ message: 'Session not found', request })],
  [401, (request: object) => ({ message: 'Unauthorized', request })],
  [502, () => canary],
  ...[463, 'rate-overlimit', 'item-not-found', 'not available', 479].map(
    (code) =>
      [500, (request: object) => ({ exception: { message: `error ${code}`, stack: canary }, request })] as const,
  ),
] as const)('shows and logs nothing of a response with status %i, which repeats the message', async (status, body) => {
  const network = await openWahaNetwork(db)
  const session = await linked(network)
  network.fake.failNext({ path: /sendText/, status, body })
  const error = await failureOf(send(network, session))
  const sentences = failureTable.map(({ sentence, sentenceOfSend = sentence }) => sentenceOfSend)
  expect(sentences).toContain(error.safeMessage)
  expect(`${error.message}${error.stack}${JSON.stringify(error)}${String(error.cause)}`).not.toContain('canary')
  expect(network.log()).not.toContain('canary')
})

it('never calls a session that does not work, which WAHA would hold for five seconds', async () => {
  const network = await openWahaNetwork(db, { hangMs: 60_000 })
  const session = network.newNumber()
  await network.driver.ensure(session)
  const { driver, fake } = network
  const calls = [
    () => send(network, session),
    () => driver.typing(session, to, true),
    () => driver.check(session, [to.digits]),
    () => driver.seen(session, to, ['3A']),
    () => driver.contacts(session),
    () => driver.profile(session),
  ]
  for (const call of calls) expect(await failureOf(call())).toMatchObject({ kind: 'session', outcome: 'not_sent' })
  expect(await driver.qr(session)).toBeNull()
  expect(fake.calls.filter((call) => !/\/api\/sessions/.test(call))).toEqual([])
})

it('asks for the status once in two seconds, however much is sent', async () => {
  const network = await openWahaNetwork(db)
  const session = await linked(network)
  const before = network.fake.calls.length
  for (let n = 0; n < 5; n++) await send(network, session)
  const calls = network.fake.calls.slice(before)
  expect(calls.filter((call) => call.startsWith('POST /api/sendText'))).toHaveLength(5)
  expect(calls.filter((call) => call.startsWith('GET /api/sessions'))).toEqual([])
})

it('lets a host fetch a file over 16 MiB from a link that ends with the send', async () => {
  const network = await openWahaNetwork(db)
  const session = await linked(network)
  const bytes = Buffer.alloc(16 * 1024 * 1024 + 1, 7)
  const file: Content = {
    kind: 'file',
    bytes: () => Readable.from([bytes]),
    sizeBytes: bytes.length,
    mimetype: 'application/pdf',
    filename: 'large.pdf',
  }
  const { ref } = await send(network, session, file)
  const { messages } = await transcript(network.sim, transcriptQuery.parse({ containerId: session.containerId }))
  const sent = messages.find((message) => message.networkId === ref.networkId)
  expect(sent?.content).toMatchObject({ kind: 'file', sizeBytes: bytes.length, filename: 'large.pdf' })
  expect(network.driver.ingress?.file?.('anything')).toBeNull()
})

it('says that a host does not respond, and that nothing was sent through it', async () => {
  const network = await openWahaNetwork(db)
  const session = await linked(network)
  network.fake.pause()
  expect(await failureOf(network.driver.state(session))).toMatchObject({ kind: 'unreachable', outcome: 'not_sent' })
  // The status was heard a moment ago, so the message is sent into a broken connection: its outcome is unknown.
  expect(await failureOf(send(network, session))).toMatchObject({ kind: 'unreachable', outcome: 'unknown' })
  expect(await network.driver.health(session)).toMatchObject({ ok: false })
  expect(await network.driver.silentHosts([session, network.newNumber()])).toEqual(new Set([session.containerId]))
  network.fake.resume()
  expect(await network.driver.silentHosts([session])).toEqual(new Set())
})

it('knows that nothing was sent when no connection was made', async () => {
  const network = await openWahaNetwork(db)
  const session = await linked(network)
  await network.fake.stop()
  // The connection that was open breaks first.
  expect(await network.driver.health(session)).toMatchObject({ ok: false })
  expect(await failureOf(send(network, session))).toMatchObject({ kind: 'unreachable', outcome: 'not_sent' })
})

it('ends a call at its time limit, and does not know whether the message left', async () => {
  const network = await openWahaNetwork(db)
  const session = await linked(network)
  network.fake.hangNext(/sendText/)
  const options = { clientId: crypto.randomUUID(), timeoutMs: 50 }
  const error = await failureOf(network.driver.send(session, to, { kind: 'text', text: 'x' }, options))
  expect(error).toMatchObject({ kind: 'timeout', outcome: 'unknown' })
  network.fake.hangNext(/check-exists/)
  const signal = AbortSignal.timeout(50)
  expect(await failureOf(network.driver.check(session, [to.digits], signal))).toMatchObject({
    kind: 'timeout',
    outcome: 'not_sent',
  })
})

it('corrects by its poll what no webhook reported, and keeps a later webhook', async () => {
  const network = await openWahaNetwork(db)
  const session = await linked(network)
  const states: string[] = []
  const stop = network.driver.subscribe(async (events) => {
    for (const event of events) {
      if (event.kind === 'session.state' && event.containerId === session.containerId) states.push(event.state.status)
    }
  })
  network.fake.loseWebhooks(true)
  network.fake.show(session.containerId, 'FAILED')
  await network.sim.clock.advance(61)
  network.sim.wake.signal('clock')
  await eventually(
    async () => states,
    (all) => all.at(-1) === 'FAILED',
  )
  network.fake.loseWebhooks(false)
  network.fake.show(session.containerId, null)
  await network.fake.emit(session.containerId, 'session.status', {
    name: session.containerId,
    status: 'WORKING',
    statuses: [],
  })
  await eventually(
    async () => states,
    (all) => all.at(-1) === 'WORKING',
  )
  await stop()
})
