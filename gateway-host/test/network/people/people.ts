import {
  type Answer,
  answerAfterMs,
  findPerson,
  type Person,
  type Reception,
} from '@msgctl/server/networks/simulator/people/people'

/** What a person sends back. */
export type Reply = Answer

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
  /** The network acknowledges a message only after its receipt. */
  readonly isReceiptFirst: boolean
  readonly startsOnline: boolean
  /** Devices see the hidden id only. */
  readonly isHidden: boolean
  readonly receipts: readonly (readonly [type: ReceiptType, afterMs: number])[]
  readonly reply: Reply | null
}

type ReceiptType = 'delivered' | 'read' | 'server-error'

const usualReceipts = [
  ['delivered', 10],
  ['read', 30],
] as const

/** People of this network are a hundred times as fast as those of the simulator. */
const speed = 100

/** How long after a message a person replies. */
export const replyAfterMs = answerAfterMs / speed

/** How late the network acknowledges a message whose receipt is to come first. */
const lateAckMs = 400

/** The code with which the network refuses what the simulator refuses. */
const refusals: Readonly<Partial<Record<Reception, string>>> = { refused: '479', restricts_the_account: '429' }

/** Returns the behavior of the person with these digits: the people of the simulator, as this network shows them. */
export function behaviorOf(digits: string): PersonBehavior {
  return toBehavior(findPerson(digits))
}

function toBehavior(person: Person): PersonBehavior {
  const { reception, receiptFirst, acceptMs = 0 } = person
  return {
    onNetwork: person.onNetwork,
    isUncheckable: person.checkTimesOut,
    refusal: refusals[reception] ?? null,
    isUnacknowledged: reception === 'times_out_sent',
    isSwallowed: reception === 'times_out_not_sent',
    ackAfterMs: receiptFirst ? lateAckMs : acceptMs / speed,
    isReceiptFirst: receiptFirst,
    startsOnline: person.startsOnline,
    isHidden: person.hidden !== 'never',
    receipts: person.receipts?.flatMap(toReceipt) ?? usualReceipts,
    reply: person.answer ?? null,
  }
}

function toReceipt([status, afterMs]: NonNullable<Person['receipts']>[number]): [ReceiptType, number][] {
  if (status === 'failed') return [['server-error', afterMs / speed]]
  return status === 'delivered' || status === 'read' ? [[status, afterMs / speed]] : []
}
