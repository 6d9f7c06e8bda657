import { Refusal } from '#people/organizations/refusal.ts'
import type { Db } from '#platform/db/db.ts'
import { type FoundNumber, findAnyNumber } from './pair-store.ts'

/** A linked number of this installation. */
export interface Side extends FoundNumber {
  readonly phone: string
}

/** Two numbers that write to each other. */
export interface Pair {
  readonly number: Side
  readonly peer: Side
}

/** The exit code of wrong arguments. */
const usage = 2

/**
 * Returns two numbers of any organizations by their containerIds. Throws {@link Refusal} for one that does not exist,
 * is simulated, or is not connected, and for one number in both places.
 */
export async function findPair(db: Db, ids: { readonly number: string; readonly peer: string }): Promise<Pair> {
  if (ids.number === ids.peer) {
    throw new Refusal(
      '--number and --peer are the same number. It takes two, each linked to a phone of its own.',
      usage,
    )
  }
  const number = await findSide(db, ids.number)
  const peer = await findSide(db, ids.peer)
  if (number.phone === peer.phone) {
    throw new Refusal(`Both numbers are linked to the phone +${peer.phone}. Link one of them to another phone.`, usage)
  }
  return { number, peer }
}

async function findSide(db: Db, containerId: string): Promise<Side> {
  const found = await findAnyNumber(db, containerId)
  if (!found) throw new Refusal(`There is no number ${containerId}. msgctl-server org show lists them.`, usage)
  const { label, gateway, status, reason, phone } = found
  const name = `The number ${containerId} (${label})`
  if (gateway === 'simulator') {
    throw new Refusal(`${name} is simulated: nothing that it sends reaches another number. Use numbers of a network.`)
  }
  if (status === 'WORKING' && phone !== null) return { ...found, phone }
  const why = reason === null ? status : `${status}, ${reason}`
  if (status === 'SCAN_QR_CODE' || phone === null) {
    throw new Refusal(`${name} is not linked to a phone (${why}). Link it: npx msgctl numbers link`)
  }
  const next = gateway === 'direct' ? 'msgctl-server check network tries its way' : 'msgctl-server waha list'
  throw new Refusal(`${name} is not connected (${why}). Start it: npx msgctl numbers start. ${next}.`)
}

/** Returns how people name a number: its phone, label and organization. */
export function nameOf({ phone, label, organizationName }: Side): string {
  return `+${phone} (${label}, of ${organizationName})`
}
