import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { GatewayError } from '../errors.ts'
import type { Content, NetAddress } from '../gateway.ts'
import { fails, linked, type MakeHarness, text, timeoutMs, to } from './harness.ts'

/** What every driver promises of asking about people and sending to them. */
export function describeSends(makeHarness: MakeHarness): void {
  it('knows who is on the network and who is not', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const answer = await harness.gateway.check(session, [harness.reachablePerson, harness.unreachablePerson])
    expect(answer.get(harness.reachablePerson)?.exists).toBe(true)
    expect(answer.get(harness.unreachablePerson)?.exists).toBe(false)
  })

  it.each(contents())('brings $kind to the phone once', async (content) => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const clientId = crypto.randomUUID()
    const { ref } = await harness.gateway.send(session, to(harness), content, { clientId, timeoutMs })
    expect(ref.networkId).not.toBe('')
    // Not every server takes our id for a file.
    expect(await harness.reached(session, ref.networkId)).toBe(1)
  })

  it('takes a second send with the same client id for the same message', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const clientId = crypto.randomUUID()
    const send = () => harness.gateway.send(session, to(harness), text('twice'), { clientId, timeoutMs })
    const first = await send()
    const second = await send()
    expect(first.ref.networkId).toBe(clientId)
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
        check: () => harness.gateway.check(session, [harness.reachablePerson]),
        chats: () => harness.gateway.chats(session, 1),
      }
      await fails(calls[call](), 'session', 'not_sent')
    },
  )

  it('refuses to send to a recipient who is not on the network', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const address: NetAddress = { kind: 'phone', digits: harness.unreachablePerson }
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

  it('forwards a message to a recipient', async ({ skip }) => {
    const harness = await makeHarness()
    skip(!harness.gateway.caps.has('forward'))
    const session = await linked(harness)
    const first = await harness.gateway.send(session, to(harness), text('onwards'), { clientId: 'first', timeoutMs })
    const options = { clientId: 'second', timeoutMs, fallback: text('onwards') }
    const second = await harness.gateway.forward(session, to(harness), first.ref, options)
    expect(second.ref.networkId).not.toBe(first.ref.networkId)
    expect(await harness.reached(session, 'second')).toBe(1)
  })

  it('sends the fallback in place of a message that it does not hold, and refuses without one', async ({ skip }) => {
    const harness = await makeHarness()
    skip(!harness.gateway.caps.has('forward'))
    const session = await linked(harness)
    const lost = { networkId: 'NONE', chat: to(harness), raw: null }
    const forward = (clientId: string, fallback: Content | null) =>
      harness.gateway.forward(session, to(harness), lost, { clientId, timeoutMs, fallback })
    const { ref } = await forward('rebuilt', text('from the records'))
    expect(await harness.phoneShows(session, ref.networkId)).toBe('from the records')
    await fails(forward('nothing', null), 'rejected', 'not_sent')
  })

  it('takes up to five numbers in one check', async () => {
    const harness = await makeHarness()
    const size = harness.gateway.checkBatch(await linked(harness))
    expect(Number.isInteger(size) && size >= 1 && size <= 5).toBe(true)
  })
}

/** The first page of an Ogg file, with the header of Opus. */
const voiceNote = Buffer.concat([
  Buffer.from('OggS'),
  Buffer.alloc(22),
  Buffer.from([1, 19]),
  Buffer.from('OpusHead'),
  Buffer.alloc(11),
])

function contents(): Content[] {
  const bytes = Buffer.from('some bytes of a file')
  const inParts = (whole: Buffer) => ({
    bytes: () => Readable.from([whole.subarray(0, 4), whole.subarray(4)]),
    sizeBytes: whole.length,
  })
  const [media, note] = [inParts(bytes), inParts(voiceNote)]
  return [
    text('hi https://example.com'),
    { kind: 'image', ...media, mimetype: 'image/png', caption: 'a picture' },
    { kind: 'video', ...media, mimetype: 'video/mp4' },
    { kind: 'file', ...media, mimetype: 'application/pdf', filename: 'a.pdf' },
    { kind: 'voice', ...note, mimetype: 'audio/ogg; codecs=opus', seconds: 2 },
    { kind: 'contacts', contacts: [{ fullName: 'Jane Doe', phone: '12025550100' }] },
    { kind: 'location', latitude: 38.89, longitude: -77.03, name: 'Our office' },
    { kind: 'link', text: 'see https://example.com', url: 'https://example.com', title: 'Example' },
    { kind: 'link', text: 'see', url: 'https://example.com', image: { ...media, mimetype: 'image/png' } },
    { kind: 'poll', question: 'Tea?', options: ['Yes', 'No'], multipleAnswers: false },
  ]
}
