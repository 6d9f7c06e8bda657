import { createCipheriv, hkdfSync } from 'node:crypto'
import { proto } from 'baileys'
import { describe, expect, it } from 'vitest'
import { arrive, attrs, contextWith, person, t } from '../../test/arrive.ts'

describe('what the owner does on the phone', () => {
  const own = { id: 'MINE', from: '15550000001@s.whatsapp.net', recipient: '999@lid', t }
  const copy = (message: object) => ({ deviceSentMessage: { destinationJid: '999@lid', message } })
  const text = { conversation: 'mine' }
  const expected = { kind: 'message.out', to: { kind: 'phone', digits: '12025550100' }, text: 'mine' }

  it.each(['peer_recipient_pn', 'recipient_pn'])(
    'is in the chat of the number that the stanza names: %s',
    async (name) => {
      const events = await arrive(copy(text), { ...own, [name]: '12025550100@s.whatsapp.net' })
      expect(events).toMatchObject([{ kind: 'lid.mapping', lid: '999@lid', digits: '12025550100' }, expected])
    },
  )

  it('is in the chat of the number that is known', async () => {
    const context = contextWith({ findOther: async () => '12025550100@s.whatsapp.net' })
    expect((await arrive(copy(text), own, context)).at(-1)).toMatchObject(expected)
  })

  it('is not what another person says that the owner did', async () => {
    expect(await arrive(copy(text), { ...attrs, recipient: '999@lid' })).toEqual([])
    expect(await arrive(copy({ protocolMessage: { type: 0, key: { id: 'OLD' } } }), attrs)).toEqual([])
  })

  it('is no message to a person: a reaction, or a text to a group', async () => {
    expect(await arrive(copy({ reactionMessage: { text: '+' } }), own)).toEqual([])
    const group = { deviceSentMessage: { destinationJid: '1@g.us', message: text } }
    expect(await arrive(group, { ...own, recipient: '1@g.us' })).toEqual([])
  })

  it('is no vote of the other person', async () => {
    const messageSecret = Buffer.alloc(32, 3)
    const poll = {
      messageContextInfo: { messageSecret },
      pollCreationMessageV3: { name: 'Day?', options: [{ optionName: 'Mon' }] },
    }
    const sent = proto.Message.fromObject(poll)
    const voter = '999@lid'
    const key = hkdfSync(
      'sha256',
      messageSecret,
      Buffer.alloc(0),
      `POLL15550000001@s.whatsapp.net${voter}Poll Vote`,
      32,
    )
    const encIv = Buffer.alloc(12, 1)
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), encIv)
    cipher.setAAD(Buffer.from(`POLL\0${voter}`))
    const encPayload = Buffer.concat([cipher.update(Buffer.alloc(0)), cipher.final(), cipher.getAuthTag()])
    const vote = { pollUpdateMessage: { pollCreationMessageKey: { id: 'POLL' }, vote: { encPayload, encIv } } }
    const context = contextWith({ findSent: async () => sent })
    expect(await arrive(vote, attrs, context)).toMatchObject([{ kind: 'poll.vote', from: person.from }])
    const { from, ...others } = own
    expect(await arrive(copy(vote), { ...others, from, peer_recipient_lid: voter }, context)).toEqual([])
  })
})
