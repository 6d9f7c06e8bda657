import { proto } from 'baileys'
import { describe, expect, it } from 'vitest'
import { arrive, attrs, contextWith, t } from '../../test/arrive.ts'
import { timerOf, withTimer } from './timer.ts'

const day = 86_400

describe('the timer of a chat', () => {
  it.each<[string, object, number | null]>([
    ['a text', { extendedTextMessage: { text: 'x', contextInfo: { expiration: day } } }, day],
    ['a photo', { imageMessage: { contextInfo: { expiration: day } } }, day],
    ['a text that says nothing', { extendedTextMessage: { text: 'x', contextInfo: { stanzaId: 'A' } } }, null],
    ['plain words', { conversation: 'x' }, null],
    ['a setting', { protocolMessage: { type: 3, ephemeralExpiration: day } }, day],
    ['a setting that turns it off', { protocolMessage: { type: 3, ephemeralExpiration: 0 } }, 0],
    ['a deletion', { protocolMessage: { type: 0 } }, null],
    ['a time that no phone offers', { imageMessage: { contextInfo: { expiration: 4_000_000_000 } } }, null],
  ])('is that of %s', (_, message, seconds) => {
    expect(timerOf(proto.Message.fromObject(message))).toBe(seconds)
  })

  it('is that of messages of either side, not of groups', async () => {
    const noted: unknown[] = []
    const context = contextWith({ noteTimer: async (...call) => void noted.push(call) })
    const message = { extendedTextMessage: { text: 'x', contextInfo: { expiration: day } } }
    await arrive(message, attrs, context)
    const own = { deviceSentMessage: { destinationJid: '12025550100@s.whatsapp.net', message } }
    await arrive(own, { id: 'MINE', from: '15550000001@s.whatsapp.net', recipient: '999@lid', t }, context)
    await arrive(message, { ...attrs, from: '1@g.us', participant: '999@lid' }, context)
    expect(noted).toEqual([
      [['999@lid', '12025550100@s.whatsapp.net'], day],
      [['12025550100@s.whatsapp.net'], day],
    ])
  })

  it('is set in every kind of message, beside what is there', () => {
    const text = { extendedTextMessage: { text: 'x', contextInfo: { stanzaId: 'A' } } }
    expect(withTimer(text, day)).toEqual({
      extendedTextMessage: { text: 'x', contextInfo: { stanzaId: 'A', expiration: day } },
    })
    const poll = { messageContextInfo: { messageSecret: Buffer.alloc(32) }, pollCreationMessageV3: { name: 'Day?' } }
    expect(withTimer(poll, day)).toEqual({
      ...poll,
      pollCreationMessageV3: { name: 'Day?', contextInfo: { expiration: day } },
    })
    expect(withTimer(text, 0)).toBe(text)
    expect(withTimer({ conversation: 'x' }, day)).toEqual({ conversation: 'x' })
  })
})
