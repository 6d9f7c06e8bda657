import { proto } from 'baileys'
import { describe, expect, it } from 'vitest'
import {
  arrive,
  at,
  attrs,
  bytesArrive,
  contextWith,
  encode,
  me,
  onlyMessage,
  peer,
  person,
  t,
} from '../../test/arrive.ts'
import { withheldEvents } from './arrival.ts'
import { contentOf } from './inbound-content.ts'

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
