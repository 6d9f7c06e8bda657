import type { GatewayContact, GatewaySession } from '@msgctl/network/gateway'
import type { DueEvent } from '#networks/simulator/events/event.ts'
import { toLid } from '#networks/simulator/people/lid.ts'
import { findPerson, isHidden, toPersonAddress } from '#networks/simulator/people/people.ts'
import { scaled } from '#networks/simulator/random.ts'

/** Whom the owner of every simulated phone has saved. */
export const savedPeople = ['12025550100', '12025550130', '12025550140'] as const

/** A person as an entry of a number's contacts. */
export function toGatewayContact(digits: string, contactsSynced: boolean, saved: boolean): GatewayContact {
  const person = findPerson(digits)
  const address = toPersonAddress(person, contactsSynced)
  const known = person.hidden !== 'never' && !isHidden(person, contactsSynced)
  return { address, ...(known ? { lid: toLid(digits) } : {}), name: person.name, saved }
}

/** What a phone sends when it has been linked: its address book, and that there is no history to wait for. */
export function addressBook(session: GatewaySession, speed: number): DueEvent[] {
  const contacts = savedPeople.map((digits) => toGatewayContact(digits, false, true))
  return [
    { ...session, afterMs: scaled(1000, speed), payload: { kind: 'contacts.upsert', contacts } },
    { ...session, afterMs: scaled(2000, speed), payload: { kind: 'history.progress', imported: 0, done: true } },
  ]
}
