import { binaryNodeToString } from 'baileys'
import { describe, expect, it } from 'vitest'
import { outgoingLogger, readStanza } from './outgoing.ts'

const jid = '12025550100:3@s.whatsapp.net'

describe('a stanza of the log of the library', () => {
  it.each([
    ['without content', { tag: 'presence', attrs: { type: 'unavailable' } }],
    ['without attributes', { tag: 'list', attrs: {} }],
    ['with bytes', { tag: 'registration', attrs: {}, content: Buffer.from([0, 1, 2, 255]) }],
    ['with words', { tag: 'contact', attrs: { type: 'in' }, content: '+1 202 555 0100' }],
    [
      'with stanzas in stanzas',
      {
        tag: 'message',
        attrs: { id: 'A', to: jid },
        content: [
          {
            tag: 'participants',
            attrs: {},
            content: [
              { tag: 'to', attrs: { jid }, content: [{ tag: 'enc', attrs: { v: '2' }, content: Buffer.alloc(40, 7) }] },
              { tag: 'to', attrs: { jid }, content: [{ tag: 'enc', attrs: { v: '2' }, content: Buffer.alloc(3, 9) }] },
            ],
          },
          { tag: 'meta', attrs: { polltype: 'creation' } },
        ],
      },
    ],
  ])('is read back %s', (_, stanza) => {
    expect(readStanza(binaryNodeToString(stanza))).toEqual(stanza)
  })

  it('takes words over several lines, and a quote in a value, for no stanza', () => {
    const about = { tag: 'status', attrs: {}, content: 'one\n</status> <b\ntwo' }
    expect(readStanza(binaryNodeToString(about))).toEqual({ ...about, content: 'one\n</status> <b\ntwo' })
    const named = { tag: 'presence', attrs: { name: "O'Neil" } }
    expect(readStanza(binaryNodeToString(named))).toEqual({ tag: '?', attrs: {} })
  })
})

it('passes on what is sent, and nothing else of the log', () => {
  const seen: unknown[] = []
  const logger = outgoingLogger((stanza) => void seen.push(stanza))
  logger.trace({ xml: "<ib from='s.whatsapp.net'/>", msg: 'recv xml' })
  logger.debug({ xml: "<ib from='s.whatsapp.net'/>", msg: 'xml send' })
  logger.trace('xml send')
  logger.trace({ xml: "<presence type='unavailable'/>", msg: 'xml send' })
  logger.child({}).trace({ xml: "<presence type='available'/>", msg: 'xml send' })
  expect(seen).toEqual([{ tag: 'presence', attrs: { type: 'unavailable' } }])
})
