import { DEFAULT_CONNECTION_CONFIG, isLidUser, type SignalKeyStoreWithTransaction, type SocketConfig } from 'baileys'
import { KeyCache } from '../../../vault/key-cache.ts'
import type { Vault } from '../../../vault/vault.ts'
import type { Translator } from '../../engine.ts'
import type { Stanzas } from '../stanzas.ts'
import { reportingPairs } from './lid-pairs.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { SessionKeys } from './session-keys.ts'

type MakeRepository = SocketConfig['makeSignalRepository']

/** How many addresses of people stay in memory, beside those in the cache of the vault: two for each person. */
const mostAddresses = 2000

/** What of a vault a repository works with. */
type RepositoryVault = Pick<Vault, 'keys' | 'inOneCommit' | 'stageEvent'>

/**
 * Returns the Signal repository of the library over the keys of a vault. Every read sees the latest write, and the work
 * on the sessions of a number runs one after the other: both addresses of a person share one session, and which address
 * that is can change while a message is on its way, so that a lock for each address would let one write overwrite
 * another. What is decrypted is translated at once and staged with its ratchet, before a receipt can leave.
 */
export function repositoryOver(
  vault: RepositoryVault,
  stanzas: Stanzas,
  translator: Pick<Translator, 'arrival'>,
): MakeRepository {
  return (auth, logger, findLids) => {
    const inLine = oneAtATime()
    const sessions = new SessionKeys(reportingPairs(vault))
    const keys: SignalKeyStoreWithTransaction = {
      get: sessions.get,
      set: sessions.set,
      isInTransaction: () => false,
      transaction: inLine,
    }
    // The frame of a query waits for a commit, and a commit for what is being decrypted: in line, only known addresses
    // count.
    const lookUp: typeof findLids = findLids && (async (pns) => (inLine.isInside() ? undefined : findLids(pns)))
    const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: auth.creds, keys }, logger, lookUp)
    // Its own cache of addresses has no bound, and a timer for each of them.
    repository.lidMapping.close()
    Reflect.set(repository.lidMapping, 'mappingCache', new KeyCache(mostAddresses, () => false))

    /** Returns the address under which the session of a device is stored: the hidden id as soon as it is known. */
    async function settle(jid: string): Promise<string> {
      const { lidMapping, jidToSignalProtocolAddress } = repository
      const isHidden = isLidUser(jid) === true
      const lid = isHidden ? jid : await lidMapping.getLIDForPN(jid)
      const phone = isHidden ? await lidMapping.getPNForLID(jid) : jid
      if (!lid || !phone) return jid
      await sessions.move(jidToSignalProtocolAddress(phone), jidToSignalProtocolAddress(lid))
      return lid
    }

    /** Runs work on the session of a device in line. */
    async function onSession<T>(jid: string, work: (jid: string) => Promise<T>): Promise<T> {
      // This may send a query. The others in line do not wait for it.
      if (!inLine.isInside() && !isLidUser(jid)) await repository.lidMapping.getLIDForPN(jid).catch(() => null)
      return inLine(async () => work(await settle(jid)))
    }

    function decryptWith(options: Parameters<typeof repository.decryptMessage>[0]): Promise<Uint8Array> {
      const decrypt = () => repository.decryptMessage(options)
      if (options.type === 'pkmsg') return decrypt()
      return sessions.decrypt(repository.jidToSignalProtocolAddress(options.jid), options.ciphertext, decrypt)
    }

    async function staging(ciphertext: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> {
      return vault.inOneCommit(async () => {
        const plain = await decrypt()
        const attrs = stanzas.attrsOf(ciphertext)
        const events = attrs ? await translator.arrival(attrs, plain) : []
        for (const event of events) vault.stageEvent(event)
        return plain
      })
    }

    return {
      ...repository,
      decryptMessage: (options) =>
        onSession(options.jid, (jid) => staging(options.ciphertext, () => decryptWith({ ...options, jid }))),
      decryptGroupMessage: (options) =>
        inLine(() => staging(options.msg, () => repository.decryptGroupMessage(options))),
      encryptMessage: (options) => onSession(options.jid, (jid) => repository.encryptMessage({ ...options, jid })),
      encryptGroupMessage: (options) => inLine(() => repository.encryptGroupMessage(options)),
      injectE2ESession: (options) => onSession(options.jid, (jid) => repository.injectE2ESession({ ...options, jid })),
      processSenderKeyDistributionMessage: (options) =>
        inLine(() => repository.processSenderKeyDistributionMessage(options)),
      deleteSession: (jids) => inLine(() => repository.deleteSession(jids)),
      validateSession: (jid) => onSession(jid, (address) => repository.validateSession(address)),
      getSessionInfo: (jid) => onSession(jid, (address) => repository.getSessionInfo(address)),
      // Each use of a session moves it first, and without losing the one that is there.
      migrateSession: async (from) => onSession(from, async () => ({ migrated: 0, skipped: 0, total: 0 })),
    }
  }
}
