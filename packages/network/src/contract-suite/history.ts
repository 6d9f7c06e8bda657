import { expect, it } from 'vitest'
import { changing, fails, linked, listen, type MakeHarness, text, timeoutMs, to } from './harness.ts'

const polling = { timeout: 10_000, interval: 5 }

/** What every driver promises of messages, contacts and the profile that are there already. */
export function describeHistory(makeHarness: MakeHarness): void {
  it('shows the chats that the phone shared, the oldest message first; none where it cannot', async () => {
    const harness = await makeHarness()
    const session = await linked(harness, [
      {
        digits: harness.reachablePerson,
        messages: [
          { direction: 'out', text: 'question' },
          { direction: 'in', text: 'answer' },
        ],
      },
    ])
    const addresses = async () => (await harness.gateway.chats(session, 10)).map((chat) => chat.address)
    const words = async () =>
      (await harness.gateway.messages(session, to(harness), 10)).map(({ direction, text }) => [direction, text])
    if (!harness.gateway.caps.has('history')) {
      expect([await addresses(), await words()]).toEqual([[], []])
      return
    }
    // A phone shares its history some time after it was linked.
    await expect.poll(addresses, polling).toContainEqual(to(harness))
    await expect.poll(words, polling).toEqual([
      ['out', 'question'],
      ['in', 'answer'],
    ])
  })

  it('shows read ticks for messages of a person', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const listener = listen(harness.gateway)
    await harness.writeTo(session, 'read me')
    const received = () =>
      listener.events.flatMap((event) =>
        event.kind === 'message.in' && event.containerId === session.containerId ? [event.message.networkId] : [],
      )
    await listener.until(() => received().length === 1)
    await listener.stop()
    await expect(harness.gateway.seen(session, to(harness), received())).resolves.toBeUndefined()
    await expect(harness.gateway.seen(session, to(harness), [])).resolves.toBeUndefined()
  })

  it('changes the words of a message, and takes it back', async ({ skip }) => {
    const harness = await makeHarness()
    skip(!harness.gateway.caps.has('edit') || !harness.gateway.caps.has('delete'))
    const session = await linked(harness)
    const { ref } = await harness.gateway.send(session, to(harness), text('frist'), { clientId: 'e', timeoutMs })
    const shown = () => harness.phoneShows(session, ref.networkId)
    await expect.poll(shown, polling).toBe('frist')
    await harness.gateway.edit(session, ref, 'first', changing)
    await expect.poll(shown, polling).toBe('first')
    await harness.gateway.revoke(session, ref, changing)
    await expect.poll(shown, polling).toBeNull()
  })

  it('refuses to change a message that is not there', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const ref = { networkId: 'NONE', chat: to(harness), raw: null }
    await fails(harness.gateway.edit(session, ref, 'x', changing), 'rejected', 'not_sent')
    await fails(harness.gateway.revoke(session, ref, changing), 'rejected', 'not_sent')
  })

  it('changes nothing for a caller who has given up already', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const { ref } = await harness.gateway.send(session, to(harness), text('stays'), { clientId: 's', timeoutMs })
    const gone = { timeoutMs, signal: AbortSignal.abort() }
    await fails(harness.gateway.edit(session, ref, 'x', gone), 'timeout', 'not_sent')
    await fails(harness.gateway.revoke(session, ref, gone), 'timeout', 'not_sent')
    expect(await harness.phoneShows(session, ref.networkId)).toBe('stays')
  })

  it('lists the people whom the owner has saved, each with an address and a name', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    await harness.saveContact(session, harness.reachablePerson, 'Jane Doe')
    const listed = async () => (await harness.gateway.contacts(session)).filter(({ saved }) => saved)
    await expect
      .poll(async () => (await listed()).map(({ address, name }) => ({ address, name })), polling)
      .toContainEqual({ address: to(harness), name: 'Jane Doe' })
    expect((await harness.gateway.contacts(session)).every((contact) => contact.name !== '')).toBe(true)
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
    expect(await harness.gateway.fetchMedia(session, { networkId: 'NONE', chat: to(harness), raw: null })).toBeNull()
  })
}
