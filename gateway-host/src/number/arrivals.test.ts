import { createCipheriv, hkdfSync } from 'node:crypto'
import { initAuthCreds, proto, type SignalDataSet, writeRandomPadMax16 } from 'baileys'
import { describe, expect, it } from 'vitest'
import { attrs, encode, peer } from '../../test/arrive.ts'
import { memoryKeys } from '../../test/network/people/memory-keys.ts'
import type { Vault } from '../vault/vault.ts'
import { translatorOf } from './arrivals.ts'
import { ChatTimers } from './chat-timers.ts'

/** A number with the part of a vault that translations work with. */
function openNumber() {
  const staged: SignalDataSet[] = []
  const vault = {
    creds: { ...initAuthCreds(), me: { id: '15550000001:2@s.whatsapp.net', lid: '777:2@lid' } },
    areCredsStaged: false,
    keys: { get: memoryKeys().get, set: async (data: SignalDataSet) => void staged.push(data) },
    stageCreds() {
      vault.areCredsStaged = true
    },
    findSent: async () => null,
    readValues: async () => new Map(),
    readAllValues: async () => new Map(),
    stageValue: () => undefined,
  }
  const translator = translatorOf(vault as unknown as Vault, new ChatTimers(vault))
  const arrive = (message: object, stanza: Record<string, string>) =>
    translator.arrival(stanza, writeRandomPadMax16(encode(message)))
  return { vault, staged, translator, arrive }
}

describe('the id of an event', () => {
  it('is of a chat, because clients choose the ids of messages', async () => {
    const { arrive } = openNumber()
    const idsOf = async (stanza: Record<string, string>) =>
      (await arrive({ conversation: 'x' }, stanza)).map(({ eventId }) => eventId).filter((id) => id !== null)
    expect(await idsOf(attrs)).toEqual(['in/12025550100/ID'])
    expect(await idsOf({ ...attrs, sender_pn: '12025550101@s.whatsapp.net' })).toEqual(['in/12025550101/ID'])
    const { sender_pn: _, ...hidden } = attrs
    expect(await idsOf(hidden)).toEqual(['in/999@lid/ID'])
    expect(await idsOf({ ...attrs, from: '1@g.us', participant: '999@lid' })).toEqual(['in/1@g.us/ID'])
  })

  it('is another one while the content of the message is missing', () => {
    const { translator } = openNumber()
    expect(translator.withheld(attrs).map(({ eventId }) => eventId)).toEqual([null, 'withheld/in/12025550100/ID'])
  })
})

describe('keys of the application state', () => {
  const keyId = Buffer.from('key-id')
  const keyData = { keyData: Buffer.alloc(32, 5), timestamp: 1 }
  const share = {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE,
      appStateSyncKeyShare: { keys: [{ keyId: { keyId }, keyData }] },
    },
  }

  it('are staged with the ratchet, before the receipt can leave', async () => {
    const { arrive, staged, vault } = openNumber()
    expect(await arrive(share, peer)).toEqual([])
    const id = keyId.toString('base64')
    const [{ 'app-state-sync-key': stored } = {}, ...others] = staged
    expect(others).toEqual([])
    expect(Object.keys(stored ?? {})).toEqual([id])
    expect(Buffer.from(stored?.[id]?.keyData ?? [])).toEqual(keyData.keyData)
    expect(vault.creds.myAppStateKeyId).toBe(id)
    expect(vault.areCredsStaged).toBe(true)
  })

  it('come from the own phone only', async () => {
    const { arrive, staged, vault } = openNumber()
    await arrive(share, attrs)
    expect(staged).toEqual([])
    expect(vault.areCredsStaged).toBe(false)
  })
})

describe('the secret of a message', () => {
  it('is the one that this device sent, also when a person uses its id', async () => {
    const { arrive, vault } = openNumber()
    const messageContextInfo = { messageSecret: Buffer.alloc(32, 7) }
    const values = new Map<string, unknown>()
    Object.assign(vault, {
      stageValue: (_kind: number, id: string, value: unknown) => void values.set(id, value),
      readValues: async () => values,
      findSent: async () => ({ message: encode({ conversation: 'ours' }) }),
    })
    await arrive({ conversation: 'x', messageContextInfo }, attrs)
    const changed = { protocolMessage: { type: 14, key: { id: 'ID' }, editedMessage: { conversation: 'a lie' } } }
    const edit = {
      ...seal(changed, messageContextInfo.messageSecret),
      targetMessageKey: { id: 'ID' },
      secretEncType: 2,
    }
    const events = await arrive({ secretEncryptedMessage: edit }, { ...attrs, id: 'EDIT' })
    expect(events.map(({ body }) => body.kind)).not.toContain('message.edited')
  })
})

/** Encrypts a change as the phone of the person of {@link attrs} does. */
function seal(change: object, secret: Buffer) {
  const key = hkdfSync('sha256', secret, Buffer.alloc(0), 'ID999@lid999@lidMessage Edit', 32)
  const encIv = Buffer.alloc(12, 1)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), encIv)
  return { encIv, encPayload: Buffer.concat([cipher.update(encode(change)), cipher.final(), cipher.getAuthTag()]) }
}
