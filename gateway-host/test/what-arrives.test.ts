import { describe, expect, it } from 'vitest'
import { openServiceLab } from './service-lab.ts'

const { client, link, metrics, net } = await openServiceLab()
const to = '15556600001'
await link(to)

let people = 0
function someone(): string {
  people += 1
  return `1202556${String(people).padStart(4, '0')}`
}

/** Returns the messages of a person that were reported as events. */
async function reportedFrom(phone: string) {
  const { events } = await client.events.list({ limit: 200 })
  const inbound = events.flatMap((event) => (event.event === 'message.inbound' ? [event.data] : []))
  return inbound.filter(({ sender }) => sender === phone)
}

/** Returns the messages of the chat with a person; none while there is no chat. */
async function chatWith(phone: string) {
  const { messages } = await client.chats.thread({ phone })
  return messages.map(({ type, text }) => ({ type, text }))
}

async function countOf(kind: string): Promise<number> {
  const line = (await metrics()).split('\n').find((one) => one.startsWith(`msgctl_inbound_total{kind="${kind}"}`))
  return Number(line?.split(' ').at(-1) ?? 0)
}

describe('what people write in unusual ways', () => {
  it('arrives: the first message of a person who comes from an ad', async () => {
    const [from, before] = [someone(), await countOf('chat')]
    const { id } = await net.writeWithheld({ from, to, message: { conversation: 'Is it still available?' } })
    await expect
      .poll(() => reportedFrom(from))
      .toMatchObject([
        {
          body: 'Is it still available?',
          gatewayMessageId: id,
          messageType: 'chat',
          senderName: `Sim ${from.slice(-4)}`,
        },
      ])
    expect(await chatWith(from)).toEqual([{ type: 'chat', text: 'Is it still available?' }])
    expect((await client.chats.list({ search: from })).chats).toMatchObject([{ phone: from, unread: 1 }])
    expect(await countOf('chat')).toBe(before + 1)
  })

  it('arrives when the phone of the number is on again', async () => {
    const from = someone()
    await net.setOnline({ phone: to, online: false })
    const { messages } = await net.counts({})
    await net.writeWithheld({ from, to, message: { conversation: 'Hello from the ad' } })
    await expect.poll(() => chatWith(from)).toEqual([{ type: 'unsupported', text: '' }])
    // The phone has been asked.
    await expect.poll(async () => (await net.counts({})).messages).toBe(messages + 1)
    expect(await reportedFrom(from)).toEqual([])
    await net.setOnline({ phone: to, online: true })
    await expect.poll(() => reportedFrom(from)).toMatchObject([{ body: 'Hello from the ad' }])
    expect(await chatWith(from)).toEqual([{ type: 'chat', text: 'Hello from the ad' }])
  })

  it('is a line of the chat while only the phone has it', async () => {
    const [from, before] = [someone(), await countOf('unsupported')]
    await net.writeWithheld({ from, to, message: { conversation: 'once' }, type: 'view_once_unavailable_fanout' })
    await expect.poll(() => chatWith(from)).toEqual([{ type: 'unsupported', text: '' }])
    expect(await countOf('unsupported')).toBe(before + 1)
  })

  it('arrives: the new text of a message that a person has changed', async () => {
    const [from, before] = [someone(), await countOf('chat')]
    const { id } = await net.write({ from, to, message: { conversation: 'at five' } })
    await expect.poll(() => reportedFrom(from)).toMatchObject([{ body: 'at five' }])
    await net.editMessage({ from, to, id, text: 'at six' })
    await expect.poll(() => chatWith(from)).toEqual([{ type: 'chat', text: 'at six' }])
    expect(await reportedFrom(from)).toHaveLength(1)
    // The edit is no message of its own.
    expect(await countOf('chat')).toBe(before + 1)
  })

  it('arrives: a video note, as a video', async () => {
    const [from, before] = [someone(), await countOf('video')]
    await net.write({ from, to, message: { ptvMessage: { mimetype: 'video/mp4', seconds: 3 } } })
    await expect.poll(() => chatWith(from)).toEqual([{ type: 'video', text: '' }])
    expect(await countOf('video')).toBe(before + 1)
  })

  it('arrives once: a photo in high definition, whose large file is the one that opens', async () => {
    const [from, before] = [someone(), await countOf('image')]
    const [small, large] = [Buffer.from('a small photo'), Buffer.from('a photo with every detail')]
    const base64 = { small: small.toString('base64'), large: large.toString('base64') }
    await net.sendHdPhoto({ from, to, ...base64, caption: 'the receipt' })
    await net.write({ from, to, message: { conversation: 'got it?' } })
    await expect.poll(() => reportedFrom(from)).toHaveLength(2)
    expect((await reportedFrom(from)).map(({ messageType, body }) => `${messageType}: ${body}`).sort()).toEqual([
      'chat: got it?',
      'image: the receipt',
    ])
    expect(await chatWith(from)).toHaveLength(2)
    expect(await countOf('image')).toBe(before + 1)
    const sizeOf = async () => {
      const { messages } = await client.chats.thread({ phone: from })
      return messages.find(({ type }) => type === 'image')?.attachment?.sizeBytes
    }
    await expect.poll(sizeOf).toBe(large.length)
    const photo = (await client.chats.thread({ phone: from })).messages.find(({ type }) => type === 'image')
    const { content } = await client.chats.attachment({ id: photo?.id ?? '' })
    expect(Buffer.from(content)).toEqual(large)
  })

  it('is a line of the chat and no event: an order', async () => {
    const [from, before] = [someone(), await countOf('unsupported')]
    const order = { orderId: '1', itemCount: 2, message: 'two of the blue ones', token: 'x' }
    await net.write({ from, to, message: { orderMessage: order } })
    await expect.poll(() => chatWith(from)).toEqual([{ type: 'unsupported', text: '' }])
    await net.write({ from, to, message: { conversation: 'did you get it?' } })
    await expect.poll(() => reportedFrom(from)).toMatchObject([{ body: 'did you get it?' }])
    expect((await client.chats.list({ search: from })).chats).toMatchObject([{ unread: 2 }])
    expect(await countOf('unsupported')).toBe(before + 1)
  })

  it('arrives in the chat of its sender: a message to a broadcast list', async () => {
    const [from, before] = [someone(), await countOf('chat')]
    await net.writeByList({ from, to, message: { conversation: 'to all of you' } })
    await expect.poll(() => reportedFrom(from)).toMatchObject([{ body: 'to all of you', messageType: 'chat' }])
    expect(await chatWith(from)).toEqual([{ type: 'chat', text: 'to all of you' }])
    expect(await countOf('chat')).toBe(before + 1)
  })
})
