import type { GatewayContact } from '@msgctl/network/gateway'
import type { KnownContact } from '../engine/engine.ts'
import { addressOf, isPerson } from '../translate/person.ts'
import { contactKind } from '../vault/key-kinds.ts'
import type { Vault } from '../vault/vault.ts'

interface StoredContact {
  readonly saved: string | null
  readonly chosen: string | null
}

/** Stages names of people, and the event that reports them. A name that is left out stays. */
export function stageContacts(vault: Vault, contacts: readonly KnownContact[]): void {
  const people = contacts.filter(({ jid }) => isPerson(jid))
  if (people.length === 0) return
  for (const { jid, saved, chosen } of people)
    vault.stageValue(contactKind, jid, { saved, chosen } satisfies StoredContact)
  const named = people.map(({ jid, saved, chosen }) => ({
    address: addressOf(jid),
    name: saved ?? chosen ?? '',
    saved: saved !== null,
  }))
  const body = { kind: 'contacts.upsert', at: new Date().toISOString(), contacts: named }
  vault.stageEvent({ eventId: null, body })
}

/** Returns the people whose names are known. */
export async function listContacts(vault: Vault): Promise<GatewayContact[]> {
  const stored = await vault.readAllValues(contactKind)
  return [...stored].flatMap(([jid, value]) => {
    const { saved, chosen } = value as StoredContact
    const name = saved ?? chosen ?? ''
    return name === '' ? [] : [{ address: addressOf(jid), name, saved: saved !== null }]
  })
}
