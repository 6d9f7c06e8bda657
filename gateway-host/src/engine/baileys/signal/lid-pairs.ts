import type { SignalDataSet, SignalKeyStore } from 'baileys'
import type { Vault } from '../../../vault/vault.ts'

const reverse = '_reverse'

/**
 * Returns the keys of a vault, with an event for each pair of hidden id and number that the library stores: from the
 * history, the address book, queries and stanzas alike. It stores a pair only when it is new.
 */
export function reportingPairs(vault: Pick<Vault, 'keys' | 'stageEvent'>): SignalKeyStore {
  return {
    get: vault.keys.get,
    async set(data: SignalDataSet) {
      await vault.keys.set(data)
      const at = new Date().toISOString()
      for (const [digits, lid] of Object.entries(data['lid-mapping'] ?? {})) {
        if (digits.endsWith(reverse) || !lid) continue
        vault.stageEvent({ eventId: null, body: { kind: 'lid.mapping', at, lid: `${lid}@lid`, digits } })
      }
    },
  }
}
