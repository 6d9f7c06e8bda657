import { Readable } from 'node:stream'
import type { Content } from '@msgctl/network/content'
import type { NetAddress } from '@msgctl/network/session'
import { describe, expect, it } from 'vitest'
import { wahaOpenApi } from '#testing/waha/openapi.ts'
import { toBase64, toSendRequest } from './body.ts'
import { toVcard } from './vcard.ts'

const openApi = wahaOpenApi()
const to: NetAddress = { kind: 'phone', digits: '12025550100' }
const bytes = { bytes: () => Readable.from([Buffer.from('abc'), Buffer.from('def')]), sizeBytes: 6 }
const data = Buffer.from('abcdef').toString('base64')
const base = { session: 's', chatId: '12025550100@c.us' }
const inline = async (file: { bytes: () => Readable }) => ({ data: await toBase64(file) })

const rows: readonly [string, Content, string, object][] = [
  ['a text', { kind: 'text', text: 'hi' }, '/api/sendText', { text: 'hi', linkPreview: false }],
  [
    'a text with a preview',
    { kind: 'text', text: 'hi', linkPreview: true },
    '/api/sendText',
    { text: 'hi', linkPreview: true },
  ],
  [
    'an image',
    { kind: 'image', ...bytes, mimetype: 'image/png', filename: 'a.png', caption: 'look' },
    '/api/sendImage',
    { file: { mimetype: 'image/png', filename: 'a.png', data }, caption: 'look' },
  ],
  [
    'a video, never converted',
    { kind: 'video', ...bytes, mimetype: 'video/mp4' },
    '/api/sendVideo',
    { file: { mimetype: 'video/mp4', filename: 'video.mp4', data }, convert: false, caption: '' },
  ],
  [
    'a file',
    { kind: 'file', ...bytes, mimetype: 'application/pdf', filename: 'a.pdf' },
    '/api/sendFile',
    { file: { mimetype: 'application/pdf', filename: 'a.pdf', data }, caption: '' },
  ],
  [
    'a voice note, never converted',
    { kind: 'voice', ...bytes, mimetype: 'audio/ogg; codecs=opus', seconds: 2 },
    '/api/sendVoice',
    { file: { mimetype: 'audio/ogg; codecs=opus', filename: 'voice.ogg', data }, convert: false },
  ],
  [
    'contacts',
    { kind: 'contacts', contacts: [{ fullName: 'Jane Doe', phone: '12025550100' }] },
    '/api/sendContactVcard',
    { contacts: [{ vcard: toVcard({ fullName: 'Jane Doe', phone: '12025550100' }) }] },
  ],
  [
    'a location',
    { kind: 'location', latitude: 1.5, longitude: -2, name: 'Here', address: 'Street 1' },
    '/api/sendLocation',
    { latitude: 1.5, longitude: -2, title: 'Here, Street 1' },
  ],
  [
    'a link whose text lacks it',
    {
      kind: 'link',
      text: 'see',
      url: 'https://example.com',
      title: 'Example',
      image: { ...bytes, mimetype: 'image/png' },
    },
    '/api/send/link-custom-preview',
    {
      text: 'see\nhttps://example.com',
      preview: { url: 'https://example.com', title: 'Example', description: '', image: { data } },
    },
  ],
  [
    'a poll',
    { kind: 'poll', question: 'Tea?', options: ['Yes', 'No'], multipleAnswers: true },
    '/api/sendPoll',
    { poll: { name: 'Tea?', options: ['Yes', 'No'], multipleAnswers: true } },
  ],
]

describe('the request for', () => {
  it.each(rows)('%s', async (_name, content, path, fields) => {
    const request = await toSendRequest('s', to, content, inline)
    expect(request).toEqual({ path, body: { ...base, ...fields } })
    const sent = { ...request.body, id: '3EB0' }
    expect(openApi.requestFaults('POST', path, new URLSearchParams(), sent)).toEqual([])
  })

  it('a large file names the link under which it is fetched', async () => {
    const content: Content = { kind: 'file', ...bytes, mimetype: 'application/pdf', filename: 'a.pdf' }
    const { body } = await toSendRequest('s', to, content, () => ({ url: 'http://service.test/gateway/files/x' }))
    expect(body.file).toEqual({
      mimetype: 'application/pdf',
      filename: 'a.pdf',
      url: 'http://service.test/gateway/files/x',
    })
  })

  it('a person with a hidden id names that id', async () => {
    const { body } = await toSendRequest('s', { kind: 'lid', id: '77123@lid' }, { kind: 'text', text: 'x' }, inline)
    expect(body.chatId).toBe('77123@lid')
  })
})

describe('a contact card', () => {
  it('cannot be extended by what its values contain', () => {
    const card = toVcard({ fullName: 'Eve\nTEL:+1900', phone: '12025550100', organization: 'A, B; C', email: 'a@b.c' })
    expect(card.split('\n')).toEqual([
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:;Eve\\nTEL:+1900;;;',
      'FN:Eve\\nTEL:+1900',
      'ORG:A\\, B\\; C;',
      'TEL;type=CELL;type=VOICE;waid=12025550100:+12025550100',
      'EMAIL:a@b.c',
      'END:VCARD',
    ])
  })
})
