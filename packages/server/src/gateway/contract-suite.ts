import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { GatewayError, type GatewayErrorKind } from './errors.ts'
import type { Content, Gateway, GatewayEvent, GatewaySession, NetAddress } from './gateway.ts'

/** One driver at a network that a test can look at from the other side. */
export interface GatewayHarness {
  readonly gateway: Gateway
  /** A number that nobody has used. */
  newNumber(): GatewaySession
  /** Links a number that shows a QR code, as its owner would. */
  link(session: GatewaySession): Promise<void>
  /** Digits of somebody who gets messages and reads them, and of nobody. */
  readonly somebody: string
  readonly nobody: string
  /** Lets somebody write `text` to the number. */
  writeTo(session: GatewaySession, text: string): Promise<void>
  /** How many messages with this client id reached a phone. */
  reached(session: GatewaySession, clientId: string): Promise<number>
}

const timeoutMs = 10_000
const patienceMs = 10_000

/** What every driver promises. `makeHarness` is called in each test and cleans up after it. */
export function describeGateway(name: string, makeHarness: () => Promise<GatewayHarness>): void {
  describe(`the gateway promises of ${name}`, () => {
    describe('numbers', () => describeNumbers(makeHarness))
    describe('sends', () => describeSends(makeHarness))
    describe('events', () => describeEvents(makeHarness))
    describe('what is there already', () => describeHistory(makeHarness))
  })
}

function describeNumbers(makeHarness: () => Promise<GatewayHarness>): void {
  it('takes a number it never heard of for STOPPED', async () => {
    const { gateway, newNumber } = await makeHarness()
    expect(await gateway.state(newNumber())).toMatchObject({ status: 'STOPPED', me: null })
  })

  it('asks for a scan of a QR code that will expire, and works with the phone that scans', async () => {
    const harness = await makeHarness()
    const { gateway } = harness
    const session = harness.newNumber()
    await gateway.ensure(session)
    await gateway.start(session)
    await becomes(gateway, session, 'SCAN_QR_CODE')
    const qr = await gateway.qr(session)
    expect(qr?.text).not.toBe('')
    expect(qr?.expiresAt).toBeInstanceOf(Date)
    await harness.link(session)
    await becomes(gateway, session, 'WORKING')
    expect((await gateway.state(session)).me?.digits).toMatch(/^[1-9]\d{6,14}$/)
    expect(await gateway.qr(session)).toBeNull()
  })

  it.each(['ensure', 'start'] as const)('may be told twice to %s a number', async (call) => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const before = await harness.gateway.state(session)
    await harness.gateway[call](session)
    expect(await harness.gateway.state(session)).toEqual(before)
  })

  it.each(['stop', 'restart'] as const)('keeps the link to the phone over a %s', async (call) => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const { me } = await harness.gateway.state(session)
    await harness.gateway[call](session)
    await harness.gateway[call](session)
    await harness.gateway.start(session)
    await becomes(harness.gateway, session, 'WORKING')
    expect((await harness.gateway.state(session)).me).toEqual(me)
  })

  it('asks for a scan again after a logout, however often it is told', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    await harness.gateway.logout(session)
    await harness.gateway.logout(session)
    await harness.gateway.start(session)
    await becomes(harness.gateway, session, 'SCAN_QR_CODE')
    expect((await harness.gateway.state(session)).me).toBeNull()
  })

  it('forgets a number for good', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    await harness.gateway.remove(session)
    await harness.gateway.remove(session)
    expect((await harness.gateway.state(session)).status).toBe('STOPPED')
    await harness.gateway.start(session)
    await becomes(harness.gateway, session, 'SCAN_QR_CODE')
  })

  it('gives a pairing code of eight characters where it can pair', async ({ skip }) => {
    const harness = await makeHarness()
    skip(!harness.gateway.caps.has('pair'))
    const session = harness.newNumber()
    await harness.gateway.start(session)
    await becomes(harness.gateway, session, 'SCAN_QR_CODE')
    expect(await harness.gateway.pairingCode(session, harness.somebody)).toMatch(/^[A-Z0-9]{8}$/)
  })

  it('says that it is healthy, for itself and for one number', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    expect(await harness.gateway.health()).toMatchObject({ ok: true })
    expect(await harness.gateway.health(session)).toMatchObject({ ok: true })
  })
}

function describeSends(makeHarness: () => Promise<GatewayHarness>): void {
  it('knows who is on the network and who is not', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const answer = await harness.gateway.check(session, [harness.somebody, harness.nobody])
    expect(answer.get(harness.somebody)?.exists).toBe(true)
    expect(answer.get(harness.nobody)?.exists).toBe(false)
  })

  it.each(contents())('brings $kind to the phone once', async (content) => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const clientId = crypto.randomUUID()
    const { ref } = await harness.gateway.send(session, to(harness), content, { clientId, timeoutMs })
    expect(ref.networkId).not.toBe('')
    expect(await harness.reached(session, clientId)).toBe(1)
  })

  it('takes a second send with the same client id for the same message', async ({ skip }) => {
    const harness = await makeHarness()
    skip(!harness.gateway.caps.has('clientMessageId'))
    const session = await linked(harness)
    const clientId = crypto.randomUUID()
    const send = () => harness.gateway.send(session, to(harness), text('twice'), { clientId, timeoutMs })
    const first = await send()
    const second = await send()
    expect(second.ref).toEqual(first.ref)
    expect(await harness.reached(session, clientId)).toBe(1)
  })

  it.each(['send', 'typing', 'check', 'chats'] as const)(
    'refuses %s through a number that is not linked',
    async (call) => {
      const harness = await makeHarness()
      const session = harness.newNumber()
      await harness.gateway.ensure(session)
      const calls = {
        send: () => harness.gateway.send(session, to(harness), text('x'), { clientId: 'x', timeoutMs }),
        typing: () => harness.gateway.typing(session, to(harness), true),
        check: () => harness.gateway.check(session, [harness.somebody]),
        chats: () => harness.gateway.chats(session, 1),
      }
      await fails(calls[call](), 'session', 'not_sent')
    },
  )

  it('refuses to send to somebody who is not on the network', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const address: NetAddress = { kind: 'phone', digits: harness.nobody }
    await fails(
      harness.gateway.send(session, address, text('x'), { clientId: 'x', timeoutMs }),
      'recipient',
      'not_sent',
    )
  })

  it('sends nothing for a caller who has given up already', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const options = { clientId: crypto.randomUUID(), timeoutMs, signal: AbortSignal.abort() }
    await fails(harness.gateway.send(session, to(harness), text('x'), options), 'timeout', 'not_sent')
    expect(await harness.reached(session, options.clientId)).toBe(0)
  })

  it('never shows the text of a message in an error', async () => {
    const harness = await makeHarness()
    const session = harness.newNumber()
    const sent = harness.gateway.send(session, to(harness), text('a secret word'), { clientId: 'x', timeoutMs })
    const error: unknown = await sent.catch((thrown: unknown) => thrown)
    expect((error as GatewayError).safeMessage).not.toContain('secret')
  })

  it('forwards a message to somebody else', async ({ skip }) => {
    const harness = await makeHarness()
    skip(!harness.gateway.caps.has('forward'))
    const session = await linked(harness)
    const first = await harness.gateway.send(session, to(harness), text('onwards'), { clientId: 'first', timeoutMs })
    const second = await harness.gateway.forward(session, to(harness), first.ref, { clientId: 'second', timeoutMs })
    expect(second.ref.networkId).not.toBe(first.ref.networkId)
    expect(await harness.reached(session, 'second')).toBe(1)
  })
}

function describeEvents(makeHarness: () => Promise<GatewayHarness>): void {
  it('tells that a message was delivered and read', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const listener = listen(harness.gateway)
    const { ref } = await harness.gateway.send(session, to(harness), text('hi'), { clientId: 'hi', timeoutMs })
    await listener.until((events) =>
      ['delivered', 'read'].every((status) =>
        events.some(
          (event) => event.kind === 'message.status' && event.networkId === ref.networkId && event.status === status,
        ),
      ),
    )
    const ours = listener.events.filter((event) => event.containerId === session.containerId)
    expect(ours.every((event) => event.organizationId === session.organizationId)).toBe(true)
    await listener.stop()
  })

  it('tells when a number begins to work', async () => {
    const harness = await makeHarness()
    const listener = listen(harness.gateway)
    const session = await linked(harness)
    await listener.until((events) =>
      events.some(
        (event) =>
          event.kind === 'session.state' &&
          event.state.status === 'WORKING' &&
          event.containerId === session.containerId,
      ),
    )
    await listener.stop()
  })

  it('tells what somebody writes', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const listener = listen(harness.gateway)
    await harness.writeTo(session, 'good morning')
    await listener.until((events) =>
      events.some(
        (event) => event.kind === 'message.in' && event.message.text === 'good morning' && event.at instanceof Date,
      ),
    )
    await listener.stop()
  })

  it('tells again what the handler could not take', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    await harness.writeTo(session, 'once more')
    let refusals = 2
    const listener = listen(harness.gateway, () => {
      if (refusals-- > 0) throw new Error('the database is away')
    })
    await listener.until((events) =>
      events.some((event) => event.kind === 'message.in' && event.message.text === 'once more'),
    )
    await listener.stop()
  })

  it('waits for the handler that runs when it is told to stop, and calls it no more', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const entered = barrier()
    const released = barrier()
    let calls = 0
    let done = false
    const stop = harness.gateway.subscribe(async () => {
      calls++
      entered.open()
      await released.opened
      done = true
    })
    await harness.writeTo(session, 'wait')
    await entered.opened
    const stopping = stop()
    released.open()
    await stopping
    expect(done).toBe(true)
    await harness.writeTo(session, 'too late')
    expect(calls).toBe(1)
  })
}

function describeHistory(makeHarness: () => Promise<GatewayHarness>): void {
  it('shows the conversation, the oldest message first', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    await harness.gateway.send(session, to(harness), text('question'), { clientId: 'q', timeoutMs })
    await harness.writeTo(session, 'answer')
    const chats = await harness.gateway.chats(session, 10)
    expect(chats.map((chat) => chat.address)).toContainEqual(to(harness))
    const messages = await harness.gateway.messages(session, to(harness), 10)
    expect(messages.map(({ direction, text }) => [direction, text])).toEqual([
      ['out', 'question'],
      ['in', 'answer'],
    ])
    await harness.gateway.seen(session, to(harness))
  })

  it('changes the words of a message, and takes it back', async ({ skip }) => {
    const harness = await makeHarness()
    skip(!harness.gateway.caps.has('edit') || !harness.gateway.caps.has('delete'))
    const session = await linked(harness)
    const { ref } = await harness.gateway.send(session, to(harness), text('frist'), { clientId: 'e', timeoutMs })
    await harness.gateway.edit(session, ref, 'first')
    expect((await harness.gateway.messages(session, to(harness), 10)).map((one) => one.text)).toEqual(['first'])
    await harness.gateway.revoke(session, ref)
    expect(await harness.gateway.messages(session, to(harness), 10)).toEqual([])
  })

  it('refuses to change a message that is not there', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const ref = { networkId: 'NONE', chat: to(harness), raw: null }
    await fails(harness.gateway.edit(session, ref, 'x'), 'rejected', 'not_sent')
    await fails(harness.gateway.revoke(session, ref), 'rejected', 'not_sent')
  })

  it('lists contacts, each with an address and a name', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    await harness.gateway.send(session, to(harness), text('hello'), { clientId: 'c', timeoutMs })
    const contacts = await harness.gateway.contacts(session)
    expect(contacts.map((contact) => contact.address)).toContainEqual(to(harness))
    expect(contacts.every((contact) => contact.name !== '')).toBe(true)
    expect(await harness.gateway.lids(session)).toBeInstanceOf(Array)
  })

  it('keeps what the number says about itself', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    await harness.gateway.setProfile(session, { name: 'Corner Shop' })
    await harness.gateway.setProfile(session, { about: 'Open till six' })
    expect(await harness.gateway.profile(session)).toMatchObject({ name: 'Corner Shop', about: 'Open till six' })
    expect((await harness.gateway.state(session)).me?.pushName).toBe('Corner Shop')
  })

  it('has no file for a message without one', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    expect(await harness.gateway.fetchMedia(session, 'NONE')).toBeNull()
  })
}

function text(words: string): Content {
  return { kind: 'text', text: words }
}

function contents(): Content[] {
  const bytes = Buffer.from('some bytes of a file')
  const media = { bytes: () => Readable.from([bytes.subarray(0, 4), bytes.subarray(4)]), sizeBytes: bytes.length }
  return [
    text('hi https://example.com'),
    { kind: 'image', ...media, mimetype: 'image/png', caption: 'a picture' },
    { kind: 'video', ...media, mimetype: 'video/mp4' },
    { kind: 'file', ...media, mimetype: 'application/pdf', filename: 'a.pdf' },
    { kind: 'voice', ...media, mimetype: 'audio/ogg; codecs=opus' },
    { kind: 'contacts', contacts: [{ fullName: 'Jane Doe', phone: '12025550100' }] },
    { kind: 'location', latitude: 38.89, longitude: -77.03, name: 'Our office' },
    { kind: 'link', text: 'see https://example.com', url: 'https://example.com', title: 'Example' },
    { kind: 'poll', question: 'Tea?', options: ['Yes', 'No'], multipleAnswers: false },
  ]
}

function to(harness: GatewayHarness): NetAddress {
  return { kind: 'phone', digits: harness.somebody }
}

async function linked(harness: GatewayHarness): Promise<GatewaySession> {
  const session = harness.newNumber()
  await harness.gateway.start(session)
  await becomes(harness.gateway, session, 'SCAN_QR_CODE')
  await harness.link(session)
  await becomes(harness.gateway, session, 'WORKING')
  return session
}

async function becomes(gateway: Gateway, session: GatewaySession, status: string): Promise<void> {
  await expect
    .poll(async () => (await gateway.state(session)).status, { timeout: patienceMs, interval: 5 })
    .toBe(status)
}

async function fails(call: Promise<unknown>, kind: GatewayErrorKind, outcome: GatewayError['outcome']): Promise<void> {
  const error: unknown = await call.then(
    () => 'it was done',
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(GatewayError)
  expect(error).toMatchObject({ kind, outcome })
}

function barrier() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Collects events; `before` may throw in place of the handler. */
function listen(gateway: Gateway, before: () => void = () => undefined) {
  const events: GatewayEvent[] = []
  const stop = gateway.subscribe(async (batch) => {
    before()
    events.push(...batch)
  })
  return {
    events,
    stop,
    until: (enough: (events: readonly GatewayEvent[]) => boolean) =>
      expect.poll(() => enough(events), { timeout: patienceMs, interval: 5 }).toBe(true),
  }
}
