import { Readable } from 'node:stream'
import type { Content } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { failure, openListening } from '#testing/simulator/listening.ts'
import { openNetwork, person, sending, someNumber, statusesOf } from '#testing/simulator/network.ts'

const { db } = await testDatabase()
const hello: Content = { kind: 'text', text: 'hello' }

describe('a send at speed 0', () => {
  it.each([
    ['0100', ['delivered', 'read']],
    ['0121', ['delivered']],
    ['0122', ['read']],
    ['0123', ['read', 'delivered', 'delivered', 'read']],
    ['0124', ['delivered', 'read']],
    ['0110', ['failed']],
  ])('to %s is reported as %j, one at a time and in this order', async (last4, statuses) => {
    const { gateway, session, events, until } = await openListening(db)
    const { ref } = await gateway.send(session, person(last4), hello, sending())
    // The status of a later message proves that nothing more was reported for the first.
    const { ref: last } = await gateway.send(session, person('0121'), hello, sending())
    await until((all) => statusesOf(all, last.networkId).length === 1)
    expect(statusesOf(events, ref.networkId)).toEqual(statuses)
  })

  it('to 0110 is pending, fails with a reason and reaches no phone', async () => {
    const { gateway, session, events, until, reached } = await openListening(db)
    const { ref, status } = await gateway.send(session, person('0110'), hello, sending())
    expect(status).toBe('pending')
    await until((all) => statusesOf(all, ref.networkId).length === 1)
    expect(events.find((event) => event.kind === 'message.status')).toMatchObject({
      error: expect.stringContaining('deliver'),
    })
    expect(await reached()).toEqual([])
  })

  it.each([
    ['0101', 'recipient', 'not_sent', 0],
    ['0111', 'rejected', 'not_sent', 0],
    ['0112', 'timeout', 'unknown', 1],
    ['0113', 'timeout', 'unknown', 0],
    ['0160', 'restricted', 'not_sent', 0],
  ])('to %s fails as %s, outcome %s, and reaches %i phones', async (last4, kind, outcome, phones) => {
    const { gateway, session, reached } = await openListening(db)
    // A time-out that was waited for would be longer than the test may take.
    const error = await failure(gateway.send(session, person(last4), hello, sending(undefined, 60_000)))
    expect(error).toMatchObject({ kind, outcome })
    expect(await reached()).toHaveLength(phones)
  })

  it('to 0112 is reported later, and a repeat returns the message that went out', async () => {
    const { gateway, session, until, reached } = await openListening(db)
    const options = sending()
    await failure(gateway.send(session, person('0112'), hello, options))
    const { ref } = await gateway.send(session, person('0112'), hello, options)
    await until((all) => statusesOf(all, ref.networkId).length === 2)
    expect(await reached()).toHaveLength(1)
  })

  it('to 0124 returns only after its first receipt was reported', async () => {
    const { gateway, session, events } = await openListening(db)
    const { ref } = await gateway.send(session, person('0124'), hello, sending())
    expect(statusesOf(events, ref.networkId)).toContain('delivered')
  })

  it('to 0160 limits the account for five minutes', async () => {
    const { gateway, session, clock } = await openListening(db)
    await failure(gateway.send(session, person('0160'), hello, sending()))
    const error = await failure(gateway.send(session, person('0100'), hello, sending()))
    expect(error.kind).toBe('restricted')
    expect(error.retryAfterMs).toBeGreaterThan(290_000)
    await clock.advance(301)
    await expect(gateway.send(session, person('0100'), hello, sending())).resolves.toMatchObject({ status: 'sent' })
  })

  it.each([
    ['0130', { type: 'chat', text: 'hello' }],
    ['0131', { type: 'chat', text: 'STOP' }],
    ['0132', { type: 'chat', text: '1' }],
    ['0134', { type: 'location', text: '', latitude: 38.8895, longitude: -77.0353 }],
    ['0135', { type: 'voice', text: '', media: { mimetype: 'audio/ogg; codecs=opus' } }],
    ['0136', { type: 'image', text: '', media: { mimetype: 'image/png' } }],
  ])('to %s is answered with %j', async (last4, message) => {
    const { gateway, session, events, reported } = await openListening(db)
    await gateway.send(session, person(last4), hello, sending())
    await reported((event) => event.kind === 'message.in')
    const answer = events.find((event) => event.kind === 'message.in')
    expect(answer).toMatchObject({
      containerId: session.containerId,
      message: { ...message, from: person(last4), senderName: `Sim ${last4}` },
    })
  })

  it.each([
    ['0135', 'OggS'],
    ['0136', 'PNG'],
  ])('to %s brings a file that begins with %s', async (last4, magic) => {
    const { gateway, session, events, reported } = await openListening(db)
    await gateway.send(session, person(last4), hello, sending())
    await reported((event) => event.kind === 'message.in')
    const answer = events.find((event) => event.kind === 'message.in')
    const file = await gateway.fetchMedia(session, {
      networkId: answer?.message.networkId ?? '',
      chat: person(last4),
      raw: null,
    })
    const bytes = Buffer.concat(await (file?.bytes.toArray() ?? []))
    expect(bytes.toString('latin1', 0, 8)).toContain(magic)
    expect(answer?.message.media?.sizeBytes).toBe(bytes.length)
  })

  it('to 0133 is answered with a vote for the first option of a poll', async () => {
    const { gateway, session, events, reported } = await openListening(db)
    const poll: Content = { kind: 'poll', question: 'Tea?', options: ['Yes', 'No'], multipleAnswers: false }
    const { ref } = await gateway.send(session, person('0133'), poll, sending())
    await reported((event) => event.kind === 'poll.vote')
    expect(events.find((event) => event.kind === 'poll.vote')).toMatchObject({
      pollNetworkId: ref.networkId,
      from: person('0133'),
      selectedOptions: ['Yes'],
    })
  })

  it('to a hidden id reaches the person behind it, and to an unknown one no phone', async () => {
    const { gateway, session, reached } = await openListening(db)
    const listed = await gateway.contacts(session)
    expect(listed.find((contact) => contact.name === 'Sim 0140')?.lid).toMatch(/@lid$/)
    const lid = listed.find((contact) => contact.name === 'Sim 0140')?.lid ?? ''
    await gateway.send(session, { kind: 'lid', id: lid }, hello, sending())
    expect(await reached()).toMatchObject([{ to: lid }])
    const error = await failure(gateway.send(session, { kind: 'lid', id: '123@lid' }, hello, sending()))
    expect(error.kind).toBe('recipient')
  })
})

describe('what is written down', () => {
  it('holds to whom, what, whether typed, and the service time', async () => {
    const { gateway, session, reached, clock } = await openListening(db)
    const { ref } = await gateway.send(session, person('0100'), hello, { ...sending('one'), typed: true })
    const [message] = await reached()
    expect(message).toMatchObject({
      clientId: 'one',
      networkId: ref.networkId,
      containerId: session.containerId,
      to: '12025550100',
      content: hello,
      typed: true,
    })
    expect(Math.abs(clock.now().getTime() - (message?.at.getTime() ?? 0))).toBeLessThan(10_000)
  })

  it('holds a message once although fifty sends with one client id ran at the same time in two processes', async () => {
    const first = await openListening(db)
    const second = await openNetwork(db)
    for (let round = 1; round <= 10; round++) {
      const options = sending()
      const sends = Array.from({ length: 50 }, (_, n) =>
        (n % 2 ? first : second).gateway.send(
          first.session,
          person('0100'),
          { kind: 'text', text: `try ${n}` },
          options,
        ),
      )
      const refs = new Set((await Promise.all(sends)).map(({ ref }) => JSON.stringify(ref)))
      expect(refs.size).toBe(1)
      expect(await first.reached()).toHaveLength(round)
    }
    const { ref: last } = await first.gateway.send(first.session, person('0121'), hello, sending())
    await first.until((all) => statusesOf(all, last.networkId).length === 1)
    const [message] = await first.reached()
    expect(statusesOf(first.events, message?.networkId ?? '')).toEqual(['delivered', 'read'])
  })

  it('gives a message the id that was chosen for it, which another number may have chosen too', async () => {
    const { gateway, session, linked, reached } = await openListening(db)
    const other = await linked()
    const [one, two] = await Promise.all([
      gateway.send(session, person('0100'), hello, sending('same')),
      gateway.send(other, person('0100'), hello, sending('same')),
    ])
    expect([one.ref.networkId, two.ref.networkId]).toEqual(['same', 'same'])
    expect(one.ref).not.toEqual(two.ref)
    expect(await reached()).toHaveLength(1)
  })

  it('returns the address of the first for a repeat to another person', async () => {
    const { gateway, session } = await openListening(db)
    const first = await gateway.send(session, person('0100'), hello, sending('same'))
    const second = await gateway.send(session, person('0130'), hello, sending('same'))
    expect(second.ref).toEqual(first.ref)
  })

  it('keeps no part of a file whose stream breaks', async () => {
    const { gateway, session, reached } = await openListening(db)
    const broken: Content = {
      kind: 'file',
      bytes: () => Readable.from(failingBytes()),
      sizeBytes: 10,
      mimetype: 'application/pdf',
    }
    expect(await failure(gateway.send(session, person('0100'), broken, sending()))).toMatchObject({
      kind: 'rejected',
      outcome: 'not_sent',
    })
    expect(await reached()).toEqual([])
  })

  it('holds the measure of a file in place of its bytes, the picture of a link included', async () => {
    const { gateway, session, reached } = await openListening(db)
    const file = { bytes: () => Readable.from([Buffer.from('bytes')]), sizeBytes: 5, mimetype: 'image/png' }
    const measured = {
      sizeBytes: 5,
      mimetype: 'image/png',
      sha256: '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9',
    }
    const link = { kind: 'link', text: 'see', url: 'https://example.com' } as const
    await gateway.send(session, person('0100'), { kind: 'image', ...file, caption: 'a picture' }, sending())
    await gateway.send(session, person('0100'), { ...link, image: file }, sending())
    expect((await reached()).map(({ content }) => content)).toEqual([
      { kind: 'image', ...measured, caption: 'a picture' },
      { ...link, image: measured },
    ])
  })

  it('does not go out through a number of another organization', async () => {
    const { gateway, session, reached } = await openListening(db)
    const stranger = { ...session, organizationId: someNumber().organizationId }
    expect((await failure(gateway.send(stranger, person('0100'), hello, sending()))).kind).toBe('session')
    expect(await reached()).toEqual([])
  })
})

async function* failingBytes() {
  yield Buffer.from('half')
  throw new Error('the other half is missing')
}
