import type { GatewayContact } from '@msgctl/network/gateway'
import type { KnownContact } from '../engine/engine.ts'
import { addressOf, isPerson } from '../translate/person.ts'
import { contactKind } from '../vault/key-kinds.ts'
import type { Vault } from '../vault/vault.ts'
import { findDigits } from './lid-pairs.ts'

/** The name of a person in the address book of the phone, and the one that the person has chosen. */
interface StoredContact {
  readonly saved: string | null
  readonly chosen: string | null
}

/** What of a vault names are kept in. */
type NameVault = Pick<Vault, 'isFenced' | 'readValues' | 'stageValue' | 'stageEvent'>

const noNames: StoredContact = { saved: null, chosen: null }

/** The names of people that a number knows. Each message brings the chosen name of its sender again. */
export class People {
  readonly #vault: NameVault
  #last: Promise<unknown> = Promise.resolve()

  constructor(vault: NameVault) {
    this.#vault = vault
  }

  /**
   * Stages names that have changed, after those that were given before, and the event that reports them. A name that is
   * left out stays. Names under a hidden id belong to the number of the person, where it is known.
   */
  stage(contacts: readonly KnownContact[]): Promise<void> {
    const done = this.#last.then(() => this.#stage(contacts))
    // A number that was fenced stages nothing any more; the new owner is given the names again.
    this.#last = done.catch(() => undefined)
    return done
  }

  async #stage(contacts: readonly KnownContact[]): Promise<void> {
    const given = contacts.filter(({ jid }) => isPerson(jid))
    const digits = await findDigits(
      this.#vault,
      given.map(({ jid }) => jid),
    )
    const people = given.map((contact) => ({ ...contact, jid: digits.get(contact.jid) ?? contact.jid }))
    const jids = [...new Set(people.map(({ jid }) => jid))]
    const known = new Map([...(await this.#vault.readValues(contactKind, jids))]) as Map<string, StoredContact>
    if (this.#vault.isFenced) return
    const reported: GatewayContact[] = []
    for (const { jid, saved, chosen } of people) {
      const before = known.get(jid) ?? noNames
      const after = { saved: saved ?? before.saved, chosen: chosen ?? before.chosen }
      if (after.saved === before.saved && after.chosen === before.chosen) continue
      known.set(jid, after)
      this.#vault.stageValue(contactKind, jid, after)
      if (nameOf(after) !== nameOf(before) || after.saved !== before.saved) reported.push(toContact(jid, after))
    }
    if (reported.length === 0) return
    const body = { kind: 'contacts.upsert', at: new Date().toISOString(), contacts: reported }
    this.#vault.stageEvent({ eventId: null, body })
  }
}

function nameOf({ saved, chosen }: StoredContact): string {
  return saved ?? chosen ?? ''
}

function toContact(jid: string, stored: StoredContact): GatewayContact {
  return { address: addressOf(jid), name: nameOf(stored), saved: stored.saved !== null }
}

/** Returns the people whose names are known. */
export async function listContacts(vault: Vault): Promise<GatewayContact[]> {
  const stored = (await vault.readAllValues(contactKind)) as Map<string, StoredContact>
  return [...stored].flatMap(([jid, names]) => (nameOf(names) === '' ? [] : [toContact(jid, names)]))
}
