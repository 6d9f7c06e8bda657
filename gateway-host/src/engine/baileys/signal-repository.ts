import { DEFAULT_CONNECTION_CONFIG, type SocketConfig } from 'baileys'
import type { Vault } from '../../vault/vault.ts'
import type { Translator } from '../engine.ts'
import { withAddressLocks } from './address-locks.ts'
import type { Stanzas } from './stanzas.ts'

type MakeRepository = SocketConfig['makeSignalRepository']

/**
 * Returns the Signal repository of the library over the keys of a vault. Both addresses of a person share one session, so
 * its work is locked under one of them. What is decrypted is translated at once and staged with its ratchet, before a
 * receipt can leave.
 */
export function repositoryOver(vault: Vault, stanzas: Stanzas, translator: Translator): MakeRepository {
  return (auth, logger, findLids) => {
    const keys = withAddressLocks(vault.keys)
    const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: auth.creds, keys }, logger, findLids)

    /** Returns the address under which the session of a device is stored. */
    async function sessionAddress(jid: string): Promise<string> {
      return (await repository.lidMapping.getLIDForPN(jid)) ?? jid
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
        staging(options.ciphertext, async () =>
          repository.decryptMessage({ ...options, jid: await sessionAddress(options.jid) }),
        ),
      decryptGroupMessage: (options) => staging(options.msg, () => repository.decryptGroupMessage(options)),
      encryptMessage: async (options) =>
        repository.encryptMessage({ ...options, jid: await sessionAddress(options.jid) }),
      injectE2ESession: async (options) =>
        repository.injectE2ESession({ ...options, jid: await sessionAddress(options.jid) }),
    }
  }
}
