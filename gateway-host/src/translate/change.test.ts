import { proto } from 'baileys'
import { describe, expect, it } from 'vitest'
import { arrive, at, attrs, contextWith } from '../../test/arrive.ts'

const pn = '12025550100@s.whatsapp.net'
const own = { id: 'CHANGE', from: '15550000001:0@s.whatsapp.net', recipient: pn, t: attrs.t }
const revoke = { protocolMessage: { type: 0, key: { id: 'OLD', fromMe: true } } }
const edit = { protocolMessage: { type: 14, key: { id: 'OLD' }, editedMessage: { conversation: 'new' } } }
const copy = (message: object) => ({ deviceSentMessage: { destinationJid: pn, message } })

describe('a plain change of a message', () => {
  it.each([
    ['a deletion', revoke, { kind: 'message.revoked' }],
    ['an edit', edit, { kind: 'message.edited', text: 'new' }],
  ])('names who made it: %s', async (_, change, event) => {
    const ada = [
      { kind: 'lid', id: '999@lid' },
      { kind: 'phone', digits: '12025550100' },
    ]
    expect(await arrive(change)).toEqual([{ ...event, at, networkId: 'OLD', by: ada }])
    expect(await arrive(copy(change), own)).toEqual([{ ...event, at, networkId: 'OLD', by: 'account' }])
    const { sender_pn: _other, ...hidden } = attrs
    const context = contextWith({ findOther: async () => pn })
    expect(await arrive(change, hidden, context)).toEqual([{ ...event, at, networkId: 'OLD', by: ada }])
  })

  it.each([
    ['a deletion', revoke],
    ['an edit', edit],
  ])('of what this device sent is made by the own account only: %s', async (_, change) => {
    const context = contextWith({ findSent: async () => proto.Message.fromObject({ conversation: 'ours' }) })
    expect(await arrive(change, attrs, context)).toEqual([])
    expect(await arrive(copy(change), own, context)).toMatchObject([{ networkId: 'OLD', by: 'account' }])
  })
})
