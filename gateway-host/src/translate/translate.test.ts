import { type BinaryNode, proto, writeRandomPadMax16 } from 'baileys'
import { describe, expect, it } from 'vitest'
import { arrivalEvents } from './arrival.ts'
import { contentOf } from './inbound-content.ts'
import { plainMessage, revokeMessage } from './outbound-content.ts'
import { receiptEvents } from './receipts.ts'

const t = '1793520000'
const at = new Date(Number(t) * 1000).toISOString()
const lidOnly = { id: 'ID', t, from: '999@lid', notify: 'Ada' }
const attrs = { ...lidOnly, sender_pn: '12025550100@s.whatsapp.net' }
const directPath = '/v/t62/x'
const place = { mediaKey: Buffer.alloc(32), directPath, url: 'https://host.example/x' }
const file = { mimetype: 'image/jpeg', fileLength: 900, ...place }

const context = {
  me: ['15550000001:2@s.whatsapp.net', '777:2@lid'],
  findSent: async () => null,
  findSecret: async () => null,
  keepSecret: async () => undefined,
  keepStateKeys: async () => undefined,
  noteTimer: async () => undefined,
  findWithheld: () => undefined,
  findOther: async () => null,
}

const events = (message: proto.IMessage, stanza: Record<string, string> = attrs) =>
  arrivalEvents(
    { attrs: stanza, plain: writeRandomPadMax16(proto.Message.encode(proto.Message.fromObject(message)).finish()) },
    context,
  )

describe('what arrives', () => {
  it('names a person by digits where they are known, with the hidden id beside', async () => {
    const from = { kind: 'phone', digits: '12025550100' }
    expect(await events({ conversation: 'hi' })).toEqual([
      { kind: 'lid.mapping', at, lid: '999@lid', digits: '12025550100' },
      {
        kind: 'message.in',
        at,
        message: { networkId: 'ID', from, lid: '999@lid', senderName: 'Ada', type: 'chat', text: 'hi', raw: null },
      },
    ])
    const [hidden] = await events({ conversation: 'hi' }, lidOnly)
    expect(hidden).toMatchObject({ message: { from: { kind: 'lid', id: '999@lid' } } })
  })

  it('is outbound when the owner wrote it on the phone', async () => {
    const own = {
      deviceSentMessage: { destinationJid: '12025550100@s.whatsapp.net', message: { conversation: 'mine' } },
    }
    const stanza = { id: 'ID', t, from: '15550000001@s.whatsapp.net' }
    expect(await events(own, stanza)).toEqual([
      { kind: 'message.out', at, networkId: 'ID', to: { kind: 'phone', digits: '12025550100' }, text: 'mine' },
    ])
  })

  it('changes and revokes messages', async () => {
    const key = { id: 'OLD' }
    const by = [
      { kind: 'lid', id: '999@lid' },
      { kind: 'phone', digits: '12025550100' },
    ]
    const edit = { protocolMessage: { key, type: 14, editedMessage: { conversation: 'new' } } }
    expect(await events(edit)).toEqual([{ kind: 'message.edited', at, networkId: 'OLD', text: 'new', by }])
    const unread = { protocolMessage: { key, type: 14, editedMessage: { eventMessage: { name: 'party' } } } }
    expect(await events(unread)).toEqual([])
    expect(await events(revokeMessage('a@s.whatsapp.net', 'OLD'))).toEqual([
      { kind: 'message.revoked', at, networkId: 'OLD', by },
    ])
  })

  it.each<[proto.IMessage, unknown]>([
    [{ extendedTextMessage: { text: 'a' } }, { type: 'chat', text: 'a' }],
    [
      { imageMessage: { ...file, caption: 'c' } },
      { type: 'image', text: 'c', media: { mimetype: 'image/jpeg', sizeBytes: 900 } },
    ],
    [{ audioMessage: { ...file, ptt: true } }, { type: 'voice', text: '' }],
    [{ documentMessage: { ...file, fileName: 'a.pdf' } }, { type: 'file', media: { filename: 'a.pdf' } }],
    [{ stickerMessage: file }, { type: 'sticker' }],
    [
      { locationMessage: { degreesLatitude: 1, degreesLongitude: 2, name: 'x' } },
      { type: 'location', text: 'x', latitude: 1, longitude: 2 },
    ],
    [
      { buttonsResponseMessage: { selectedButtonId: 'b', selectedDisplayText: 'B' } },
      { type: 'buttons', text: 'B', selectedButtonId: 'b' },
    ],
    [
      { listResponseMessage: { title: 'L', singleSelectReply: { selectedRowId: 'r' } } },
      { type: 'list', text: 'L', selectedRowId: 'r' },
    ],
    [{ viewOnceMessage: { message: { conversation: 'once' } } }, { type: 'chat', text: 'once' }],
  ])('shows %j', (message, content) => {
    expect(contentOf(proto.Message.fromObject(message as Record<string, unknown>))).toMatchObject(content as object)
  })

  it.each<proto.IMessage>([{}, { albumMessage: { expectedImageCount: 2 } }, { protocolMessage: { type: 5 } }])(
    'shows nothing of %j',
    async (message) => {
      expect(await events(message)).toEqual([])
    },
  )

  it('keeps what a download needs, and nothing for a message without a file', () => {
    const fileSha256 = Buffer.alloc(32, 2)
    const { raw } = contentOf({ imageMessage: { ...file, fileSha256 } }) ?? {}
    expect(raw).toMatchObject({ kind: 'image', directPath, sha256: fileSha256.toString('base64') })
    expect(contentOf({ imageMessage: { mimetype: 'image/jpeg' } })?.raw).toBeNull()
  })

  it('keeps no address, which the sender chose', () => {
    expect(contentOf({ imageMessage: file })?.raw).not.toHaveProperty('url')
    expect(contentOf({ imageMessage: { ...file, directPath: null } })?.raw).toBeNull()
    expect(contentOf({ imageMessage: { ...file, directPath: '.evil.example/x' } })?.raw).toBeNull()
  })

  it('ignores groups of channels and status lists', async () => {
    expect(await events({ conversation: 'x' }, { ...attrs, from: 'status@broadcast' })).toEqual([])
    expect(await events({ conversation: 'x' }, { id: 'ID', t, from: '1@newsletter' })).toEqual([])
  })
})

describe('receipts', () => {
  const now = new Date(Number(t) * 1000 + 400)
  const receipt = (more: Record<string, string>, content: BinaryNode[] = []) =>
    receiptEvents({ tag: 'receipt', attrs: { id: 'A', from: 'x@lid', t, ...more }, content }, now)

  it.each([
    [{}, 'delivered'],
    [{ type: 'inactive' }, 'delivered'],
    [{ type: 'read' }, 'read'],
    [{ type: 'played' }, 'played'],
    [{ type: 'server-error' }, 'failed'],
  ])('with %j are %s', (more, status) => {
    expect(receipt(more as Record<string, string>)).toMatchObject([{ networkId: 'A', status }])
  })

  it.each([{ type: 'retry' }, { type: 'sender' }, { type: 'read-self' }, { recipient: 'a@lid' }])(
    'with %j are not about a message of ours',
    (more) => {
      expect(receipt(more as Record<string, string>)).toEqual([])
    },
  )

  it('name all their messages', () => {
    const list = [{ tag: 'list', attrs: {}, content: [{ tag: 'item', attrs: { id: 'B' } }] }]
    expect(receipt({}, list).map(({ networkId }) => networkId)).toEqual(['A', 'B'])
  })
})

describe('what is sent', () => {
  it('cannot add lines to a contact card', () => {
    const contact = { fullName: 'Eve\nTEL:+1', phone: '12025550100', email: 'e@example.com;x' }
    const { contactMessage } = plainMessage({ kind: 'contacts', contacts: [contact] }, null)
    expect(contactMessage?.vcard).toContain('FN:Eve\\nTEL:+1\n')
    expect(contactMessage?.vcard).toContain('EMAIL:e@example.com\\;x')
  })

  it('adds the address of a link to its text once', () => {
    const link = { kind: 'link', text: 'see', url: 'https://example.com' } as const
    expect(plainMessage(link, null).extendedTextMessage?.text).toBe('see https://example.com')
    expect(plainMessage({ ...link, text: 'https://example.com' }, null).extendedTextMessage?.text).toBe(
      'https://example.com',
    )
  })
})
