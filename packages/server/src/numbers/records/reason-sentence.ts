import { type NumberReason, numberReasonSentences } from '@msgctl/contract'

/** Why the network restricts an account, by its code. */
const causes: Readonly<Record<number, string>> = {
  101: 'it sent too many messages to people who do not have it in their contacts',
  102: 'too many people blocked it',
  103: 'it created too many groups with people who do not have it in their contacts',
  104: 'it sent the same message to too many people',
  106: 'it sent too many messages to broadcast lists',
}

/** Returns what a reason means and what to do about it, with what the code of the network adds. */
export function reasonSentence(reason: NumberReason, code: number | null = null): string {
  const sentence = numberReasonSentences[reason]
  if (code === null) return sentence
  const cause = reason === 'restricted' ? causes[code] : undefined
  return cause === undefined
    ? `${sentence} The code of the network is ${code}.`
    : `${sentence} The network gives as its cause that ${cause} (${code}).`
}

/** Returns what people read while the network limits what an account may send. */
export function restrictionSentence(until: Date): string {
  return (
    `The network limits what this account may send until ${until.toISOString()}. Its queued messages wait. ` +
    'Send less after that, and only to people who expect it.'
  )
}
