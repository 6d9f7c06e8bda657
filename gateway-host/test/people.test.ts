import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { driver, net } = lab

/** Returns the hidden id of a person, as the network knows it after they have written. */
async function lidOf(session: Parameters<typeof driver.lids>[0], digits: string): Promise<string> {
  const pairs = await driver.lids(session)
  return pairs.find((pair) => pair.digits === digits)?.lid ?? ''
}

describe('names of people', () => {
  it('in the address book stay when the person writes under another name', async () => {
    const [phone, jane] = ['15557770001', '12025557001']
    const session = await lab.link(phone)
    const known = async () => (await driver.contacts(session)).map(({ name, saved }) => ({ name, saved }))
    await expect.poll(() => net.saveContact({ phone, digits: jane, name: 'Jane of the bakery' })).toEqual({})
    await expect.poll(known).toEqual([{ name: 'Jane of the bakery', saved: true }])
    for (const conversation of ['one', 'two']) await net.write({ from: jane, to: phone, message: { conversation } })
    await expect.poll(() => lab.eventsOf(session, 'message.in').length).toBe(2)
    // What another person writes is reported after everything about the first one.
    await net.write({ from: '12025557002', to: phone, message: { conversation: 'later' } })
    const names = () => lab.eventsOf(session, 'contacts.upsert').flatMap(({ contacts }) => contacts)
    await expect.poll(() => names().filter(({ name }) => name === 'Sim 7002').length).toBe(1)
    expect(names().filter(({ name }) => name !== 'Sim 7002')).toMatchObject([
      { name: 'Jane of the bakery', saved: true },
    ])
    expect(new Set(names().map(({ address }) => address.kind))).toEqual(new Set(['phone']))
    expect(await known()).toContainEqual({ name: 'Jane of the bakery', saved: true })
  })
})

describe('the history of a phone', () => {
  it('that names chats by hidden ids is stored under the numbers, of which the pairs are reported', async () => {
    const [phone, known] = ['15557770002', '12025557003']
    const message = (lid: string, id: string, text: string) => ({
      message: {
        key: { remoteJid: lid, fromMe: false, id },
        message: { conversation: text },
        messageTimestamp: 1_790_000_000,
      },
    })
    const history = [
      { id: '903@lid', pnJid: `${known}@s.whatsapp.net`, messages: [message('903@lid', 'H1', 'hello')] },
      { id: '904@lid', messages: [message('904@lid', 'H2', 'from nowhere')] },
    ]
    await net.setAccount({ phone, history })
    const session = await lab.link(phone)
    const addresses = async () => (await driver.chats(session, 10)).map(({ address }) => address)
    await expect.poll(async () => (await addresses()).length).toBe(2)
    expect(await addresses()).toEqual(
      expect.arrayContaining([
        { kind: 'phone', digits: known },
        { kind: 'lid', id: '904@lid' },
      ]),
    )
    expect(await driver.messages(session, { kind: 'phone', digits: known }, 10)).toMatchObject([{ text: 'hello' }])
    await expect
      .poll(() => lab.eventsOf(session, 'lid.mapping').map(({ lid, digits }) => ({ lid, digits })))
      .toContainEqual({ lid: '903@lid', digits: known })
    expect(await lidOf(session, known)).toBe('903@lid')
  })
})

describe('what the owner writes on the phone', () => {
  it('to a hidden id is in the chat of the number', async () => {
    const [phone, jane] = ['15557770003', '12025557004']
    const session = await lab.link(phone)
    await net.writeOnPhone({ owner: phone, to: jane, message: { conversation: 'from the phone' }, hidden: true })
    await expect
      .poll(() => lab.eventsOf(session, 'message.out'))
      .toMatchObject([{ to: { kind: 'phone', digits: jane }, text: 'from the phone' }])
  })
})
