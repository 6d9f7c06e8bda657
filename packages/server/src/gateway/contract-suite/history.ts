import { expect, it } from 'vitest'
import { fails, linked, type MakeHarness, text, timeoutMs, to } from './harness.ts'

/** What every driver promises of messages, contacts and the profile that are there already. */
export function describeHistory(makeHarness: MakeHarness): void {
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
