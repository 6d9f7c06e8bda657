import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  Curve,
  encodeWAMessage,
  initAuthCreds,
  proto,
  type SignalAuthState,
  type SignalDataSet,
  type SignalKeyStore,
  unpadRandomMax16,
  xmppPreKey,
  xmppSignedPreKey,
} from 'baileys'
import { describe, expect, it } from 'vitest'
import { keysNode } from '../../../../test/network/device-keys.ts'
import { memoryKeys } from '../../../../test/network/people/memory-keys.ts'
import { Phone } from '../../../../test/network/people/phone.ts'
import { silentLogger } from '../silent-logger.ts'
import { Stanzas } from '../stanzas.ts'
import { repositoryOver } from './signal-repository.ts'

const device = '15550000001:1@s.whatsapp.net'
const [phoneJid, phoneLid] = ['12025550100@s.whatsapp.net', '912025550100@lid']
const registration = Buffer.from([0, 0, 0, 1])

/** Keys that respond in a later turn of the event loop, as a database does. */
function slowKeys(): SignalKeyStore {
  const keys = memoryKeys()
  return {
    async get(type, ids) {
      await nextTurn()
      return keys.get(type, ids)
    },
    async set(data: SignalDataSet) {
      await nextTurn()
      return keys.set(data)
    },
  }
}

type FindLids = Parameters<ReturnType<typeof repositoryOver>>[2]

/** A device with a pre-key, and a phone that it does not know. `findLids` requests hidden ids from the network. */
async function openBoth(findLids: FindLids = async () => undefined) {
  const creds = initAuthCreds()
  const keys = slowKeys()
  const preKey = Curve.generateKeyPair()
  await keys.set({ 'pre-key': { 1: preKey } })
  const vault = { keys, inOneCommit: <T>(work: () => Promise<T>) => work(), stageEvent: () => undefined }
  const repository = repositoryOver(vault, new Stanzas(), { arrival: async () => [] })(
    { creds, keys } as unknown as SignalAuthState,
    silentLogger,
    findLids,
  )
  const bundle = keysNode(device, {
    registration,
    identity: creds.signedIdentityKey.public,
    signedPreKey: xmppSignedPreKey(creds.signedPreKey),
    preKey: xmppPreKey(preKey, 1),
  })
  const phone = new Phone()
  const write = (text: string) => phone.write(device, { conversation: text }, { findBundle: () => bundle })
  const read = async ({ type, ciphertext }: Awaited<ReturnType<typeof write>>) => {
    const plain = await repository.decryptMessage({ jid: phoneLid, type, ciphertext })
    return proto.Message.decode(unpadRandomMax16(plain)).conversation
  }
  async function beginSession(): Promise<void> {
    const { identity, signedPreKey, preKey: one } = await phone.makeBundle()
    const publicKey = (key: Uint8Array) => Buffer.concat([Buffer.from([5]), key])
    const partOf = (stanza: typeof signedPreKey, tag: string) =>
      (stanza.content as (typeof signedPreKey)[]).find((part) => part.tag === tag)?.content as Uint8Array
    const keyOf = (stanza: typeof signedPreKey) => ({
      keyId: Buffer.from(partOf(stanza, 'id')).readUIntBE(0, 3),
      publicKey: publicKey(partOf(stanza, 'value')),
    })
    const signed = { ...keyOf(signedPreKey), signature: partOf(signedPreKey, 'signature') }
    const session = {
      registrationId: 1,
      identityKey: publicKey(identity),
      signedPreKey: signed,
      preKey: { ...keyOf(one), signature: Buffer.alloc(0) },
    }
    await repository.injectE2ESession({ jid: phoneJid, session })
  }
  const send = (text: string) =>
    repository.encryptMessage({ jid: phoneJid, data: encodeWAMessage({ conversation: text }) })
  return { repository, phone, write, read, beginSession, send }
}

describe('a device and a phone that write to each other for the first time, at the same moment', () => {
  it.each(Array.from({ length: 12 }, (_, turns) => turns))(
    'keep both sessions, when the hidden id of the phone becomes known after %i turns',
    async (turns) => {
      const { repository, phone, write, read, beginSession, send } = await openBoth()
      const first = await write('one')
      const sending = beginSession().then(() => send('two'))
      for (let turn = 0; turn < turns; turn++) await nextTurn()
      await repository.lidMapping.storeLIDPNMappings([{ lid: phoneLid, pn: phoneJid }])
      await repository.migrateSession(phoneJid, phoneLid)
      const [plain, sent] = await Promise.all([read(first), sending])
      expect(plain).toBe('one')
      expect((await phone.read(device, sent)).conversation).toBe('two')
      const third = await write('three')
      expect(await read(third)).toBe('three')
      expect((await phone.read(device, await send('four'))).conversation).toBe('four')
      expect(await read(await write('five'))).toBe('five')
      // It comes again when its receipt was lost. The library acknowledges what fails with these words.
      await expect(read(third)).rejects.toThrow('Key used already or never filled')
      expect((await phone.read(device, await send('six'))).conversation).toBe('six')
      expect(await read(await write('seven'))).toBe('seven')
    },
  )
})

describe('a question to the network for the hidden id of a person', () => {
  it('holds up nothing that is decrypted, and is asked although something is', async () => {
    const asked: string[] = []
    let endSilence: () => void = () => undefined
    const silence = new Promise<undefined>((resolve) => {
      endSilence = () => resolve(undefined)
    })
    const { repository, write, read } = await openBoth((phones) => {
      asked.push(...phones)
      return silence
    })
    await repository.lidMapping.storeLIDPNMappings([{ lid: phoneLid, pn: phoneJid }])
    const sending = repository.validateSession('12025550199@s.whatsapp.net')
    const reading = read(await write('one'))
    const other = repository.lidMapping.getLIDForPN('12025550198@s.whatsapp.net')
    expect(await reading).toBe('one')
    expect(asked).toEqual(['12025550199@s.whatsapp.net', '12025550198@s.whatsapp.net'])
    endSilence()
    expect(await sending).toMatchObject({ exists: false })
    expect(await other).toBeNull()
  })
})

describe('the addresses of people', () => {
  it('stay in memory up to a bound, and are found again in the keys', async () => {
    const { repository } = await openBoth()
    const pairs = Array.from({ length: 1500 }, (_, n) => ({ lid: `9${n}@lid`, pn: `1202${n}@s.whatsapp.net` }))
    await repository.lidMapping.storeLIDPNMappings(pairs)
    const { mappingCache } = repository.lidMapping as unknown as { mappingCache: { size: number } }
    expect(mappingCache.size).toBe(2000)
    expect(await repository.lidMapping.getLIDForPN('12020@s.whatsapp.net')).toBe('90@lid')
  })
})
