import { createCipheriv, hkdfSync } from 'node:crypto'
import { proto, writeRandomPadMax16 } from 'baileys'
import { describe, expect, it } from 'vitest'
import { type ArrivalContext, arrivalEvents, withheldEvents } from './arrival.ts'
import type { MessageSecret } from './edit.ts'
import { contentOf } from './inbound-content.ts'
import type { NetworkEvent } from './network-event.ts'
import type { Attributes } from './person.ts'

const t = '1790000000'
const at = new Date(Number(t) * 1000).toISOString()
const attrs = { id: 'ID', from: '999@lid', sender_pn: '12025550100@s.whatsapp.net', t, notify: 'Ada' }
const peer = { id: 'PEER', from: '15550000001@s.whatsapp.net', t, category: 'peer' }
const person = { from: { kind: 'phone', digits: '12025550100' }, lid: '999@lid', senderName: 'Ada' }
const me = ['15550000001:2@s.whatsapp.net', '777:2@lid']

function contextWith(known: Partial<ArrivalContext> = {}): ArrivalContext {
  const nothing = { findSent: async () => null, findSecret: async () => null, keepSecret: () => undefined }
  return { me, ...nothing, findWithheld: () => undefined, findOther: async () => null, ...known }
}

/** Translates the bytes of a message. */
function bytesArrive(bytes: Uint8Array, stanza: Attributes = attrs, context = contextWith()): Promise<NetworkEvent[]> {
  return arrivalEvents({ attrs: stanza, plain: writeRandomPadMax16(bytes) }, context)
}

const encode = (message: object) => proto.Message.encode(proto.Message.fromObject(message)).finish()

function arrive(message: object, stanza: Attributes = attrs, context = contextWith()): Promise<NetworkEvent[]> {
  return bytesArrive(encode(message), stanza, context)
}

/** Returns the only message of these events. */
function onlyMessage(events: readonly NetworkEvent[]) {
  const messages = events.flatMap((event) => (event.kind === 'message.in' ? [event.message] : []))
  expect(messages).toHaveLength(1)
  return messages[0]
}

/** Everything that a vault would keep of secrets. */
function secretsInMemory() {
  const kept = new Map<string, MessageSecret>()
  const context = contextWith({
    keepSecret: (id, secret) => void kept.set(id, secret),
    findSecret: async (id) => kept.get(id) ?? null,
  })
  return { kept, context }
}

const unsupported = { type: 'unsupported', text: '', raw: null }

describe('what cannot be read', () => {
  it.each<[string, object]>([
    ['an order', { orderMessage: { orderId: '1', message: 'two' } }],
    ['a product', { productMessage: { product: { title: 'lamp' } } }],
    ['an event', { eventMessage: { name: 'party' } }],
    ['an invitation to a group', { groupInviteMessage: { groupName: 'club' } }],
    ['a reply to a business', { interactiveResponseMessage: { body: { text: 'yes' } } }],
    ['an animated sticker', { lottieStickerMessage: { message: { stickerMessage: { mimetype: 'application/was' } } } }],
    ['a poll of a later form', { pollCreationMessageV4: { message: { pollCreationMessage: { name: 'Day?' } } } }],
    ['a template without words', { templateMessage: { hydratedTemplate: { hydratedFooterText: 'x' } } }],
  ])('is a line of the chat: %s', async (_, message) => {
    expect(onlyMessage(await arrive(message))).toEqual({ ...unsupported, networkId: 'ID', ...person })
  })

  it.each<[string, object]>([
    ['a reaction', { reactionMessage: { text: '+', key: { id: 'OLD' } } }],
    ['a pinned message', { pinInChatMessage: { key: { id: 'OLD' } } }],
  ])('does not count as unread: %s', async (_, message) => {
    expect(onlyMessage(await arrive(message))).toMatchObject({ type: 'unsupported', isQuiet: true })
  })

  it('is a line of the chat even when the library knows nothing of it', async () => {
    const newer = Buffer.from([0xfa, 0x3f, 1, 65])
    const context = encode({ messageContextInfo: { messageSecret: Buffer.alloc(32) } })
    for (const bytes of [newer, Buffer.concat([context, newer])])
      expect(onlyMessage(await bytesArrive(bytes))).toMatchObject(unsupported)
    const wrapped = encode({ ephemeralMessage: { message: { messageContextInfo: {} } } })
    expect(onlyMessage(await bytesArrive(wrapped))).toMatchObject(unsupported)
    expect(await bytesArrive(context)).toEqual([])
  })

  it.each<[string, object, object]>([
    [
      'the code of a bank',
      { templateMessage: { hydratedTemplate: { hydratedContentText: 'Your code is 123' } } },
      { type: 'chat', text: 'Your code is 123' },
    ],
    ['a title', { listMessage: { title: 'Menu' } }, { type: 'chat', text: 'Menu' }],
    [
      'an older template',
      { highlyStructuredMessage: { hydratedHsm: { hydratedFourRowTemplate: { hydratedContentText: 'Paid' } } } },
      { type: 'chat', text: 'Paid' },
    ],
    ['buttons', { buttonsMessage: { contentText: 'Pick one' } }, { type: 'chat', text: 'Pick one' }],
    [
      'words with a photo',
      { interactiveMessage: { header: { imageMessage: { mimetype: 'image/png' } }, body: { text: 'New' } } },
      { type: 'image', text: 'New', media: { mimetype: 'image/png' } },
    ],
  ])('is not among what a business writes: %s', (_, message, content) => {
    expect(contentOf(proto.Message.fromObject(message))).toMatchObject(content)
  })

  it.each<[object, object]>([
    [{ ptvMessage: { mimetype: 'video/mp4' } }, { type: 'video', media: { mimetype: 'video/mp4' } }],
    [{ audioMessage: { mimetype: 'audio/mpeg' } }, { type: 'file', media: { mimetype: 'audio/mpeg' } }],
    [{ audioMessage: { mimetype: 'audio/ogg', ptt: true } }, { type: 'voice' }],
  ])('is not %j', (message, content) => {
    expect(contentOf(proto.Message.fromObject(message))).toMatchObject(content)
  })
})

describe('a message to a broadcast list', () => {
  it('belongs to the chat with its sender', async () => {
    const list = { id: 'ID', from: '179@broadcast', participant: '999@lid', t, notify: 'Ada' }
    const message = { conversation: 'to all' }
    const participant_pn = '12025550100@s.whatsapp.net'
    expect(onlyMessage(await arrive(message, { ...list, participant_pn }))).toMatchObject({ ...person, text: 'to all' })
    expect(await arrive(message, { ...list, from: 'status@broadcast' })).toEqual([])
  })
})

describe('a message that only the phone has', () => {
  /** What the phone responds with. */
  function response(info: object): object {
    const webMessageInfoBytes = proto.WebMessageInfo.encode(proto.WebMessageInfo.fromObject(info)).finish()
    const peerDataOperationResult = [{ placeholderMessageResendResponse: { webMessageInfoBytes } }]
    return { protocolMessage: { type: 17, peerDataOperationRequestResponseMessage: { peerDataOperationResult } } }
  }
  const key = { remoteJid: '999@lid', fromMe: false, id: 'AD' }
  const sent = { key, message: { conversation: 'from an ad' }, messageTimestamp: Number(t), pushName: 'Ada' }

  it('is a quiet line of the chat at first', () => {
    const message = { ...unsupported, isQuiet: true, networkId: 'ID', ...person }
    expect(withheldEvents(attrs, me)).toEqual([
      { kind: 'lid.mapping', at, lid: '999@lid', digits: '12025550100' },
      { kind: 'message.in', at, message },
    ])
    expect(withheldEvents({ ...attrs, from: 'status@broadcast', participant: '999@lid' }, me)).toEqual([])
    expect(withheldEvents({ ...attrs, from: '777@lid', recipient: '999@lid' }, me)).toEqual([])
  })

  it('comes from the phone, with the names that its stanza had', async () => {
    const stanza = { ...attrs, id: 'AD' }
    const context = contextWith({ findWithheld: (id) => (id === 'AD' ? stanza : undefined) })
    expect(onlyMessage(await arrive(response({ ...sent, pushName: '' }), peer, context))).toEqual({
      type: 'chat',
      text: 'from an ad',
      raw: null,
      networkId: 'AD',
      ...person,
    })
  })

  it('comes from the phone after a restart, too', async () => {
    const context = contextWith({
      findOther: async (jid) => (jid === '999@lid' ? '12025550100@s.whatsapp.net' : null),
    })
    expect(onlyMessage(await arrive(response(sent), peer, context))).toMatchObject({ networkId: 'AD', ...person })
  })

  it('is one that the owner wrote, too', async () => {
    const own = { ...sent, key: { remoteJid: '12025550100@s.whatsapp.net', fromMe: true, id: 'AD' } }
    expect(await arrive(response(own), peer)).toMatchObject([
      { kind: 'message.out', networkId: 'AD', to: { kind: 'phone', digits: '12025550100' }, text: 'from an ad' },
    ])
  })

  it('does not come from anybody else', async () => {
    expect(await arrive(response(sent))).toEqual([])
  })

  it('does not keep others back when it cannot be decoded', async () => {
    const broken = { placeholderMessageResendResponse: { webMessageInfoBytes: Buffer.from([0xff]) } }
    const both = response(sent) as {
      protocolMessage: { peerDataOperationRequestResponseMessage: { peerDataOperationResult: object[] } }
    }
    both.protocolMessage.peerDataOperationRequestResponseMessage.peerDataOperationResult.unshift(broken)
    expect(onlyMessage(await arrive(both, peer))).toMatchObject({ networkId: 'AD' })
  })
})

describe('an encrypted edit', () => {
  const messageSecret = Buffer.alloc(32, 7)
  const messageContextInfo = { messageSecret }
  const [pn, lid] = ['12025550100@s.whatsapp.net', '999@lid']
  const first = { conversation: 'at five', messageContextInfo }

  /** What the phone of a person sends who changes the message with this id. */
  function edit(targetId: string, text: string, [author, by] = [lid, lid]): object {
    const changed = { protocolMessage: { type: 14, key: { id: targetId }, editedMessage: { conversation: text } } }
    const key = hkdfSync('sha256', messageSecret, Buffer.alloc(0), `${targetId}${author}${by}Message Edit`, 32)
    const encIv = Buffer.alloc(12, 1)
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), encIv)
    const encPayload = Buffer.concat([cipher.update(encode(changed)), cipher.final(), cipher.getAuthTag()])
    return { secretEncryptedMessage: { targetMessageKey: { id: targetId }, encPayload, encIv, secretEncType: 2 } }
  }

  it.each([
    [lid, lid],
    [pn, pn],
    [pn, lid],
  ])('has the new text, with keys of %s and %s', async (author, by) => {
    const { context } = secretsInMemory()
    await arrive(first, attrs, context)
    expect(await arrive(edit('ID', 'at six', [author, by]), { ...attrs, id: 'EDIT' }, context)).toEqual([
      { kind: 'message.edited', at, networkId: 'ID', text: 'at six' },
    ])
  })

  it('changes what the owner wrote on the phone, too', async () => {
    const { context } = secretsInMemory()
    const [own] = ['15550000001@s.whatsapp.net']
    const stanza = { id: 'MINE', from: own, recipient: pn, t }
    const copy = (message: object, more: object = {}) => ({
      deviceSentMessage: { destinationJid: pn, message },
      ...more,
    })
    await arrive(copy({ conversation: 'at five' }, { messageContextInfo }), stanza, context)
    expect(await arrive(copy(edit('MINE', 'at six', [own, own])), { ...stanza, id: 'EDIT' }, context)).toEqual([
      { kind: 'message.edited', at, networkId: 'MINE', text: 'at six' },
    ])
  })

  it('of another member of a group is not one', async () => {
    const { context } = secretsInMemory()
    const group = { from: '1@g.us', participant: lid, participant_pn: pn, t, notify: 'Ada' }
    await arrive(first, { ...group, id: 'ID' }, context)
    const other = { ...group, id: 'EDIT', participant: '888@lid', participant_pn: '12025550199@s.whatsapp.net' }
    const forged = edit('ID', 'a lie')
    expect(onlyMessage(await arrive(forged, other, context))).toMatchObject({ type: 'unsupported', isQuiet: true })
    expect(await arrive(forged, { ...group, id: 'EDIT' }, context)).toMatchObject([{ text: 'a lie' }])
  })

  it('that cannot be read is a quiet line of the chat', async () => {
    const { context } = secretsInMemory()
    const unreadable = { type: 'unsupported', isQuiet: true, networkId: 'EDIT' }
    const stanza = { ...attrs, id: 'EDIT' }
    expect(onlyMessage(await arrive(edit('OLD', 'x'), stanza, context))).toMatchObject(unreadable)
    await arrive(first, attrs, context)
    const broken = { secretEncryptedMessage: { targetMessageKey: { id: 'ID' }, secretEncType: 2 } }
    expect(onlyMessage(await arrive(broken, stanza, context))).toMatchObject(unreadable)
    expect(await arrive({ deviceSentMessage: { destinationJid: pn, message: broken } }, peer, context)).toEqual([])
  })

  it('needs only secrets of messages that have words', async () => {
    const { context, kept } = secretsInMemory()
    await arrive({ reactionMessage: { text: '+' }, messageContextInfo }, attrs, context)
    expect(kept.size).toBe(0)
  })
})

describe('a part of an earlier message', () => {
  const image = { mimetype: 'image/jpeg', directPath: '/v/x', mediaKey: Buffer.alloc(32, 1), fileLength: 900 }

  /** The message that phones send after a photo or a video. */
  function part(
    associationType: number,
    place: 'outside' | 'inside' = 'outside',
    content: object = { imageMessage: image },
  ) {
    const messageContextInfo = { messageAssociation: { associationType, parentMessageKey: { id: 'PARENT' } } }
    const inner = { ...content, ...(place === 'inside' ? { messageContextInfo } : {}) }
    return { associatedChildMessage: { message: inner }, ...(place === 'outside' ? { messageContextInfo } : {}) }
  }

  it.each(['outside', 'inside'] as const)('is a better file, with its association %s', async (place) => {
    expect(await arrive(part(10, place))).toMatchObject([
      {
        kind: 'message.file',
        networkId: 'PARENT',
        from: person.from,
        media: { sizeBytes: 900 },
        raw: { directPath: '/v/x' },
      },
    ])
  })

  it.each([
    ['a video in another format', 19],
    ['the film of a photo', 12],
  ])('shows nothing of its own: %s', async (_, associationType) => {
    expect(
      await arrive(part(associationType, 'outside', { videoMessage: { ...image, mimetype: 'video/mp4' } })),
    ).toEqual([])
  })

  it('replaces nothing in a group, nor of the owner', async () => {
    expect(await arrive(part(10), { ...attrs, from: '1@g.us', participant: '999@lid' })).toEqual([])
    expect(await arrive({ deviceSentMessage: { destinationJid: '999@lid', message: part(10) } }, peer)).toEqual([])
  })

  it('is not a picture of an album, which is a message of its own', async () => {
    const messageContextInfo = { messageAssociation: { associationType: 1, parentMessageKey: { id: 'ALBUM' } } }
    expect(onlyMessage(await arrive({ imageMessage: image, messageContextInfo }))).toMatchObject({ type: 'image' })
  })
})
