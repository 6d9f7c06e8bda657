import { createCipheriv, hkdfSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { arrive, at, attrs, contextWith, encode, onlyMessage, peer, t } from '../../test/arrive.ts'
import type { MessageSecret } from './edit.ts'

/** Everything that a vault would keep of secrets. */
function secretsInMemory() {
  const kept = new Map<string, MessageSecret>()
  const context = contextWith({
    keepSecret: async (id, secret) => void kept.set(id, secret),
    findSecret: async (id) => kept.get(id) ?? null,
  })
  return { kept, context }
}

describe('an encrypted edit', () => {
  const messageSecret = Buffer.alloc(32, 7)
  const messageContextInfo = { messageSecret }
  const [pn, lid] = ['12025550100@s.whatsapp.net', '999@lid']
  const ada = [
    { kind: 'lid', id: lid },
    { kind: 'phone', digits: '12025550100' },
  ]
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
      { kind: 'message.edited', at, networkId: 'ID', text: 'at six', by: ada },
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
      { kind: 'message.edited', at, networkId: 'MINE', text: 'at six', by: 'account' },
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
