/** What a person sends back. */
export type Reply = 'echo' | 'stop' | 'one' | 'vote' | 'location' | 'voice' | 'photo'

/** How a person and the network around them behave; times are in milliseconds. */
export interface PersonBehavior {
  readonly onNetwork: boolean
  /** The network does not respond to questions about this person. */
  readonly isUncheckable: boolean
  /** The code with which the network refuses a message to this person. */
  readonly refusal: string | null
  /** The network takes the message and never acknowledges it. */
  readonly isUnacknowledged: boolean
  /** The network drops the message without a word. */
  readonly isSwallowed: boolean
  readonly ackAfterMs: number
  readonly startsOnline: boolean
  /** Devices see the hidden id only. */
  readonly isHidden: boolean
  readonly receipts: readonly (readonly [type: 'delivered' | 'read' | 'server-error', afterMs: number])[]
  readonly reply: Reply | null
}

const readSoon = [
  ['delivered', 10],
  ['read', 30],
] as const

const usual: PersonBehavior = {
  onNetwork: true,
  isUncheckable: false,
  refusal: null,
  isUnacknowledged: false,
  isSwallowed: false,
  ackAfterMs: 0,
  startsOnline: true,
  isHidden: false,
  receipts: readSoon,
  reply: null,
}

/** The people of the simulated network (ARCHITECTURE.md), by the last four digits of +1 NXX 555 0xxx. */
const specialPeople: Readonly<Record<string, Partial<PersonBehavior>>> = {
  '0101': { onNetwork: false },
  '0102': { isUncheckable: true },
  '0110': { receipts: [['server-error', 20]] },
  '0111': { refusal: '479' },
  '0112': { isUnacknowledged: true },
  '0113': { isSwallowed: true },
  '0120': { startsOnline: false, receipts: [['delivered', 10]] },
  '0121': { receipts: [['delivered', 10]] },
  '0122': { receipts: [['read', 30]] },
  '0123': {
    receipts: [
      ['read', 10],
      ['delivered', 20],
      ['read', 30],
      ['delivered', 40],
    ],
  },
  '0124': { ackAfterMs: 400 },
  '0130': { reply: 'echo' },
  '0131': { reply: 'stop' },
  '0132': { reply: 'one' },
  '0133': { reply: 'vote' },
  '0134': { reply: 'location' },
  '0135': { reply: 'voice' },
  '0136': { reply: 'photo' },
  '0140': { isHidden: true },
  '0141': { isHidden: true },
  '0150': { ackAfterMs: 20_000 },
  '0160': { refusal: '463' },
}

/** Returns the behavior of the person with these digits. Everybody else receives and reads messages. */
export function behaviorOf(digits: string): PersonBehavior {
  const last = /^1[2-9]\d{2}555(0\d{3})$/.exec(digits)?.[1]
  return { ...usual, ...specialPeople[last ?? ''] }
}
