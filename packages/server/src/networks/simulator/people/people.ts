import type { NetAddress, ReceiptStatus } from '@msgctl/network/gateway'
import { parseLid, toLid } from './lid.ts'

/** What becomes of a send to a person before any receipt. */
export type Reception =
  | 'taken'
  | 'taken_then_fails'
  | 'refused'
  | 'times_out_sent'
  | 'times_out_not_sent'
  | 'restricts_the_account'

/** What a person sends back. */
export type Answer = 'echo' | 'stop' | 'one' | 'vote' | 'location' | 'voice' | 'photo'

/** How one person behaves; times are in milliseconds after the network took the message. */
export interface Person {
  readonly digits: string
  readonly name: string
  readonly onNetwork: boolean
  readonly checkTimesOut: boolean
  readonly reception: Reception
  /** Undefined: 50 to 250 ms, by chance. */
  readonly acceptMs: number | undefined
  /** Undefined: delivered after 0.4 to 2 s, and read 2 to 8 s later by 70 % of people. */
  readonly receipts: readonly (readonly [ReceiptStatus, number])[] | undefined
  /** The receipt is reported before the response to the send. */
  readonly receiptFirst: boolean
  readonly answer: Answer | undefined
  readonly startsOnline: boolean
  /** Whether the network shows only the hidden id of the person. */
  readonly hidden: 'never' | 'until_contacts_are_synced' | 'for_ever'
}

const readSoon = [
  ['delivered', 500],
  ['read', 1500],
] as const
const readIn3s = [
  ['delivered', 1000],
  ['read', 3000],
] as const

/** How long after a message a person replies. */
export const answerAfterMs = 2000

/** The people with a number +1 NXX 555 0xxx who are not like everybody else, by the last four digits. */
export const specialPeople: Readonly<Record<string, Partial<Person>>> = {
  '0100': { receipts: readIn3s },
  '0101': { onNetwork: false },
  '0102': { checkTimesOut: true },
  '0110': { reception: 'taken_then_fails', receipts: [['failed', 1000]] },
  '0111': { reception: 'refused' },
  '0112': { reception: 'times_out_sent', receipts: readIn3s },
  '0113': { reception: 'times_out_not_sent' },
  '0120': { startsOnline: false, receipts: readIn3s },
  '0121': { receipts: [['delivered', 1000]] },
  '0122': { receipts: [['read', 2000]] },
  '0123': {
    receipts: [
      ['read', 1000],
      ['delivered', 2000],
      ['delivered', 2500],
      ['read', 3000],
    ],
  },
  '0124': {
    receiptFirst: true,
    receipts: [
      ['delivered', 0],
      ['read', 3000],
    ],
  },
  '0130': { answer: 'echo', receipts: readSoon },
  '0131': { answer: 'stop', receipts: readSoon },
  '0132': { answer: 'one', receipts: readSoon },
  '0133': { answer: 'vote', receipts: readSoon },
  '0134': { answer: 'location', receipts: readSoon },
  '0135': { answer: 'voice', receipts: readSoon },
  '0136': { answer: 'photo', receipts: readSoon },
  '0140': { hidden: 'until_contacts_are_synced', receipts: readIn3s },
  '0141': { hidden: 'for_ever', receipts: readIn3s },
  '0150': { acceptMs: 20_000, receipts: readIn3s },
  '0160': { reception: 'restricts_the_account' },
}

/** The last four digits of a number +1 NXX 555 0xxx, else null. */
export function specialNumber(digits: string): string | null {
  return /^1[2-9]\d{2}555(0\d{3})$/.exec(digits)?.[1] ?? null
}

/** The person with these digits. Everybody exists and is named after the last four, except those of the table. */
export function findPerson(digits: string): Person {
  return {
    digits,
    name: `Sim ${digits.slice(-4)}`,
    onNetwork: true,
    checkTimesOut: false,
    reception: 'taken',
    acceptMs: undefined,
    receipts: undefined,
    receiptFirst: false,
    answer: undefined,
    startsOnline: true,
    hidden: 'never',
    ...specialPeople[specialNumber(digits) ?? ''],
  }
}

/** Who an address belongs to, or null for a hidden id that the network never gave out. */
export function personAt(address: NetAddress): Person | null {
  const digits = address.kind === 'phone' ? address.digits : parseLid(address.id)
  return digits === null ? null : findPerson(digits)
}

/** Whether the person shows only the hidden id to a number, which may have synced its contacts or not. */
export function isHidden(person: Person, contactsSynced: boolean): boolean {
  return person.hidden === 'for_ever' || (person.hidden === 'until_contacts_are_synced' && !contactsSynced)
}

/** The address under which the person appears to a number. */
export function toPersonAddress(person: Person, contactsSynced: boolean): NetAddress {
  return isHidden(person, contactsSynced)
    ? { kind: 'lid', id: toLid(person.digits) }
    : { kind: 'phone', digits: person.digits }
}

/** An address as one text: digits, or the hidden id with its `@lid`. */
export function addressText(address: NetAddress): string {
  return address.kind === 'phone' ? address.digits : address.id
}
