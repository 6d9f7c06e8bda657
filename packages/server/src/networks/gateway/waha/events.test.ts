import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEnvelope, toReports } from './events.ts'
import { readSent } from './sent.ts'

const metadata = { containerId: crypto.randomUUID(), organizationId: crypto.randomUUID() }
const timestamp = Date.parse('2026-11-22T10:00:00.250Z')
const at = new Date(timestamp)

function report(event: string, payload: unknown, more: object = {}) {
  const envelope = parseEnvelope({ id: 'evt_1', timestamp, event, session: 's', metadata, me: null, payload, ...more })
  if (!envelope) throw new Error('the envelope cannot be read')
  return toReports(envelope)
}

const gows = {
  id: 'false_12025550100@c.us_3AAA',
  timestamp: 1_795_341_600,
  from: '12025550100@c.us',
  to: null,
  participant: null,
  fromMe: false,
  source: 'app',
  body: 'hello',
  hasMedia: false,
  media: null,
  _data: { Info: { PushName: 'Jane', SenderAlt: '77001@lid' }, Message: {} },
}
const written = new Date(1_795_341_600_000)
const inbound = { networkId: '3AAA', senderName: 'Jane', text: 'hello', type: 'chat', raw: null }

describe('what a webhook reports', () => {
  it('a message of GOWS, with the other address of the person', () => {
    const from = { kind: 'phone', digits: '12025550100' }
    expect(report('message', gows)).toEqual([
      { kind: 'message.in', at: written, message: { ...inbound, from, lid: '77001@lid' } },
    ])
  })

  it('a file that the server did not download, so that it can be read again', () => {
    const [found] = report('message', { ...gows, hasMedia: true, media: null })
    const raw = { url: null, mimetype: null, id: gows.id, chat: gows.from }
    expect(found).toMatchObject({ message: { raw } })
  })

  it('a message of NOWEB under the hidden id, whose number is known', () => {
    const message = {
      ...gows,
      id: 'false_77001@lid_3AAA',
      from: '77001@lid',
      to: '12025550199@c.us',
      _data: { key: { remoteJidAlt: '12025550100@s.whatsapp.net' }, pushName: 'Jane', message: {} },
    }
    expect(report('message', message)[0]).toMatchObject({
      message: { from: { kind: 'phone', digits: '12025550100' }, lid: '77001@lid', senderName: 'Jane' },
    })
  })

  it.each([
    [
      'a voice note',
      { hasMedia: true, _data: { Message: { audioMessage: { PTT: true, fileLength: 9 } } } },
      'voice',
      9,
    ],
    [
      'a voice note of NOWEB',
      { hasMedia: true, _data: { message: { audioMessage: { ptt: true, fileLength: { low: 9 } } } } },
      'voice',
      9,
    ],
    ['an audio file', { hasMedia: true, _data: { Message: { audioMessage: { fileLength: '9' } } } }, 'file', 9],
    ['a photo', { hasMedia: true, _data: { Message: { imageMessage: {} } } }, 'image', 0],
    ['a sticker', { hasMedia: true, _data: { Message: { stickerMessage: {} } } }, 'sticker', 0],
    ['a video that only WAHA describes', { hasMedia: true, media: { mimetype: 'video/mp4' }, _data: null }, 'video', 0],
    ['a document', { hasMedia: true, media: { mimetype: 'application/pdf', filename: 'a.pdf' }, _data: {} }, 'file', 0],
  ])('%s', (_name, fields, type, sizeBytes) => {
    expect(report('message', { ...gows, ...fields })[0]).toMatchObject({ message: { type, media: { sizeBytes } } })
  })

  it('where the file of a message is, for later', () => {
    const media = { url: 'http://localhost:3000/api/files/s/1.png', mimetype: 'image/png', filename: 'a.png' }
    expect(report('message', { ...gows, hasMedia: true, media })[0]).toMatchObject({
      message: { raw: { url: media.url, mimetype: 'image/png' }, media: { mimetype: 'image/png', filename: 'a.png' } },
    })
  })

  it('a location, a button and a row of a list', () => {
    const place = { latitude: '38.89', longitude: -77.03 }
    expect(report('message', { ...gows, location: place })[0]).toMatchObject({
      message: { type: 'location', latitude: 38.89, longitude: -77.03 },
    })
    const button = { Message: { buttonsResponseMessage: { selectedButtonID: 'b1' } } }
    expect(report('message', { ...gows, _data: button })[0]).toMatchObject({
      message: { type: 'buttons', selectedButtonId: 'b1' },
    })
    const row = { message: { listResponseMessage: { singleSelectReply: { selectedRowId: 'r1' } } } }
    expect(report('message', { ...gows, _data: row })[0]).toMatchObject({
      message: { type: 'list', selectedRowId: 'r1' },
    })
  })

  it('a message in a group, with who wrote it', () => {
    const message = { ...gows, from: '120363@g.us', participant: '12025550100@c.us', _data: {} }
    expect(report('message', message)[0]).toMatchObject({
      message: { groupId: '120363@g.us', from: { kind: 'phone', digits: '12025550100' } },
    })
  })

  it('a message to a broadcast list, in the chat of who wrote it', () => {
    const id = 'false_179@broadcast_3AAA_12025550100@c.us'
    const list = { ...gows, id, from: '179@broadcast', to: '12025550100@c.us', participant: '12025550100@c.us' }
    const from = { kind: 'phone', digits: '12025550100' }
    expect(report('message', list)).toEqual([
      { kind: 'message.in', at: written, message: { ...inbound, from, lid: '77001@lid' } },
    ])
    // The server finds its file under the list.
    const raw = { url: null, mimetype: null, id, chat: '179@broadcast' }
    expect(report('message', { ...list, hasMedia: true })[0]).toMatchObject({ message: { raw } })
  })

  it('what the owner wrote on the phone, and not what we sent', () => {
    const own = { ...gows, id: 'true_12025550100@c.us_3EB0', fromMe: true }
    const to = { kind: 'phone', digits: '12025550100' }
    expect(report('message.any', own)).toEqual([
      { kind: 'message.out', at: written, networkId: '3EB0', to, text: 'hello' },
    ])
    const noweb = { ...own, from: '12025550199@c.us', to: '12025550100@c.us' }
    expect(report('message.any', noweb)[0]).toMatchObject({ to })
    expect(report('message.any', { ...own, source: 'api' })).toEqual([])
    expect(report('message.any', gows)).toEqual([])
    expect(report('message', own)).toEqual([])
  })

  it.each([
    [-1, 'failed'],
    [1, 'sent'],
    [2, 'delivered'],
    [3, 'read'],
    [4, 'played'],
  ])('the receipt %i as %s, whatever name the chat has', (ack, status) => {
    const payload = { id: 'true_77001@lid_3EB0', from: '77001@lid', fromMe: true, ack, ackName: 'X' }
    expect(report('message.ack', payload)).toEqual([{ kind: 'message.status', at, networkId: '3EB0', status }])
  })

  it('edits, deletions and votes', () => {
    expect(report('message.edited', { editedMessageId: '3EB0', body: 'new' })).toEqual([
      { kind: 'message.edited', at, networkId: '3EB0', text: 'new' },
    ])
    expect(report('message.revoked', { revokedMessageId: '3EB0', after: null })).toEqual([
      { kind: 'message.revoked', at, networkId: '3EB0' },
    ])
    const vote = {
      id: 'false_12025550100@c.us_3AAB',
      from: '12025550100@c.us',
      fromMe: false,
      selectedOptions: ['Yes'],
    }
    expect(report('poll.vote', { poll: { id: 'true_12025550100@c.us_3EB0' }, vote })).toEqual([
      {
        kind: 'poll.vote',
        at,
        pollNetworkId: '3EB0',
        voteNetworkId: '3AAB',
        from: { kind: 'phone', digits: '12025550100' },
        selectedOptions: ['Yes'],
      },
    ])
  })

  it('a message of any length, with a name of any length', () => {
    const body = 'x'.repeat(100_000)
    const _data = { ...gows._data, Info: { PushName: body } }
    expect(report('message', { ...gows, body, _data })).toMatchObject([{ message: { text: body, senderName: body } }])
    expect(report('message.edited', { editedMessageId: gows.id, body })).toMatchObject([{ text: body }])
  })

  it('a status, ordered by the clock of the host', () => {
    const statuses = [
      { status: 'WORKING', timestamp: 1 },
      { status: 'STARTING', timestamp: 2 },
    ]
    const me = { id: '12025550199@c.us', pushName: 'Shop' }
    expect(report('session.status', { status: 'STARTING', statuses }, { me })).toEqual([
      {
        kind: 'session.state',
        at,
        state: {
          status: 'STARTING',
          me: { id: '12025550199@c.us', digits: '12025550199', pushName: 'Shop' },
          reason: 'connection_lost',
          sequence: timestamp,
        },
      },
    ])
  })

  it.each([
    ['message.ack', { id: 'false_1@c.us_3A', fromMe: false, ack: 3 }],
    ['message.ack', { id: 'true_1@c.us_3A', fromMe: true, ack: 0 }],
    ['message', { ...gows, from: 'status@broadcast' }],
    ['message', { ...gows, from: 'status@broadcast', participant: '12025550100@c.us' }],
    // GOWS names the writer in `to`, who is the owner.
    ['message.any', { ...gows, fromMe: true, from: '179@broadcast', to: '12025550199@c.us' }],
    ['message.any', { ...gows, fromMe: true, from: '120363@g.us', to: '12025550199@c.us' }],
    ['message.any', { ...gows, fromMe: true, from: 'status@broadcast', to: '12025550199@c.us' }],
    ['message', { ...gows, from: '1203@newsletter' }],
    ['message', { id: 7 }],
    ['constructor', {}],
    ['__proto__', {}],
    ['group.join', {}],
  ])('nothing for %s %j', (event, payload) => {
    expect(report(event, payload)).toEqual([])
  })

  it('nothing, and never an error, for any payload', () => {
    const events = [
      'session.status',
      'message',
      'message.any',
      'message.ack',
      'message.edited',
      'message.revoked',
      'poll.vote',
    ]
    fc.assert(
      fc.property(fc.constantFrom(...events), fc.jsonValue(), (event, payload) => {
        expect(Array.isArray(report(event, payload))).toBe(true)
      }),
    )
  })
})

describe('the envelope', () => {
  it.each([
    ['no metadata', { metadata: {} }],
    ['metadata of another form', { metadata: { containerId: 'x', organizationId: 'y' } }],
    ['no time', { timestamp: 'today' }],
    ['a long id', { id: 'x'.repeat(300) }],
  ])('with %s is none of ours', (_name, change) => {
    const envelope = { id: 'evt_1', timestamp, event: 'message', session: 's', metadata, payload: {}, ...change }
    expect(parseEnvelope(envelope)).toBeNull()
  })
})

describe('the response to a send', () => {
  it.each([
    ['GOWS', { id: 'true_1@c.us_3EB0', _data: null }, '3EB0', false],
    ['an object', { id: { fromMe: true, _serialized: 'true_1@c.us_3EB0' } }, '3EB0', false],
    ['NOWEB', { key: { remoteJid: '1@s.whatsapp.net', id: '3EB0' }, status: 'PENDING' }, '3EB0', true],
    ['nothing', null, null, false],
  ])('of %s names the message', (_name, response, networkId, pending) => {
    expect(readSent(response)).toEqual({ networkId, pending })
  })
})
