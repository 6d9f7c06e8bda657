import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { GatewayError } from '@msgctl/network/errors'
import type { Content, InboundMessage, ReceiptStatus } from '@msgctl/network/gateway'
import { type FaultSettings, faultFor } from '#networks/simulator/faults.ts'
import { type Answer, answerAfterMs, type Person, type Reception } from '#networks/simulator/people/people.ts'
import { between, type Draws, draws } from '#networks/simulator/random.ts'

/** What will become of one send; times in milliseconds at speed 1. */
export interface SendPlan {
  /** How the call ends; all but `taken` are errors. */
  readonly ends: Reception | 'not_on_network' | 'unacknowledged' | 'unreachable' | 'session'
  /** Whether a fault that was ordered decided it, and not the person. */
  readonly fault: boolean
  /** How long the network takes to respond. */
  readonly acceptMs: number
  /** Receipts, counted from the moment the network has taken the message. */
  readonly receipts: readonly { readonly status: ReceiptStatus; readonly afterMs: number }[]
  readonly answer: { readonly kind: Answer; readonly afterMs: number } | null
}

type Ends = SendPlan['ends']

const faultEnds = {
  timeout_not_sent: 'times_out_not_sent',
  timeout_sent: 'times_out_sent',
  unacknowledged: 'unacknowledged',
  rejected: 'refused',
  unreachable: 'unreachable',
  session: 'session',
} as const satisfies Record<string, Ends>

const reachesTheNetwork: ReadonlySet<Ends> = new Set<Ends>(['taken', 'taken_then_fails', 'times_out_sent'])

/** Whether the network takes the message, so that it may reach a phone although the caller sees an error. */
export function isTaken(plan: SendPlan): boolean {
  return reachesTheNetwork.has(plan.ends)
}

/**
 * Decides everything about one send. The same seed, client id and number of earlier faults give the same plan; whether
 * a person reads at all hangs on the person alone.
 */
export function planSend(input: {
  readonly person: Person
  readonly clientId: string
  readonly seed: number
  readonly faults: FaultSettings
  /** How many faults have hit this very message before. */
  readonly earlierFaults: number
  readonly isPoll: boolean
  readonly isVoice: boolean
}): SendPlan {
  const { person, faults } = input
  const chance = draws(input.seed, 'send', input.clientId)
  const fault = faultFor(faults.send, draws(input.seed, 'send fault', input.clientId, input.earlierFaults)(0))
  const ends = fault ? faultEnds[fault] : person.onNetwork ? person.reception : 'not_on_network'
  const receipts = person.receipts?.map(([status, afterMs]) => ({ status, afterMs })) ?? usualReceipts(input, chance)
  const read = receipts.find(({ status }) => status === 'read')
  return {
    ends,
    fault: fault !== null,
    acceptMs: person.acceptMs ?? between(50, 250, chance(0)),
    receipts: input.isVoice && read ? [...receipts, { status: 'played', afterMs: read.afterMs + 1000 }] : receipts,
    answer:
      person.answer && (person.answer !== 'vote' || input.isPoll)
        ? { kind: person.answer, afterMs: answerAfterMs }
        : null,
  }
}

function usualReceipts(input: { person: Person; seed: number }, chance: Draws): SendPlan['receipts'] {
  const deliveredMs = between(400, 2000, chance(1))
  const delivered = { status: 'delivered', afterMs: deliveredMs } as const
  const reads = draws(input.seed, 'reads', input.person.digits)(0) < 0.7
  return reads ? [delivered, { status: 'read', afterMs: deliveredMs + between(2000, 8000, chance(2)) }] : [delivered]
}

/** What a question about one number comes to. */
export type CheckPlan = {
  readonly answer: boolean | 'times_out' | 'unreachable' | 'session'
  readonly fault: boolean
  readonly latencyMs: number
}

/** Plans the check of one number; deterministic like {@link planSend}. */
export function planCheck(input: {
  readonly person: Person
  readonly seed: number
  readonly faults: FaultSettings
  readonly earlierFaults: number
}): CheckPlan {
  const { person, seed } = input
  const latencyMs = between(5, 40, draws(seed, 'check', person.digits)(0))
  const fault = input.faults.check
    ? faultFor(input.faults.check, draws(seed, 'check fault', person.digits, input.earlierFaults)(0))
    : null
  if (fault) return { answer: fault === 'timeout' ? 'times_out' : fault, fault: true, latencyMs }
  return { answer: person.checkTimesOut ? 'times_out' : person.onNetwork, fault: false, latencyMs }
}

type Voice = Extract<Content, { kind: 'voice' }>
type Media = Exclude<Extract<Content, { bytes: () => Readable }>, Voice>
type Link = Extract<Content, { kind: 'link' }>
type Bytes = { readonly bytes: () => Readable; readonly sizeBytes: number }
type Measured<Of extends Bytes> = Omit<Of, 'bytes'> & { readonly sha256: string }

/** What the network keeps of a message: the content itself, of media only the measure of its bytes. */
export type StoredContent =
  | Exclude<Content, Media | Voice | Link>
  | Measured<Media>
  | Measured<Voice>
  | (Omit<Link, 'image'> & { readonly image?: Measured<NonNullable<Link['image']>> })
  | {
      readonly kind: 'inbound'
      readonly type: InboundMessage['type']
      readonly text: string
      readonly media?: { readonly mimetype: string }
    }

/** Takes the content over the wire: bytes are read to their end, so a stream that breaks is a send that breaks. */
export async function receive(content: Content, signal: AbortSignal | undefined): Promise<StoredContent> {
  if (content.kind === 'voice') return measure(content, signal)
  if ('bytes' in content) return measure(content, signal)
  if (content.kind !== 'link') return content
  const { image, ...link } = content
  return image ? { ...link, image: await measure(image, signal) } : link
}

async function measure<Of extends Bytes>(file: Of, signal: AbortSignal | undefined): Promise<Measured<Of>> {
  const { bytes, ...described } = file
  const hash = createHash('sha256')
  let sizeBytes = 0
  const stream = bytes()
  const stop = () => stream.destroy(new Error('the caller gave up'))
  signal?.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      sizeBytes += chunk.length
      hash.update(chunk)
    }
  } catch {
    throw new GatewayError('rejected', 'The file could not be read to its end.')
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  if (sizeBytes !== file.sizeBytes) {
    throw new GatewayError('rejected', `The file has ${sizeBytes} bytes, ${file.sizeBytes} were announced.`)
  }
  return { ...described, sha256: hash.digest('hex') }
}

/** The words of a message, or a label where it has none. */
export function contentText(content: StoredContent): string {
  switch (content.kind) {
    case 'text':
    case 'link':
    case 'inbound':
      return content.text
    case 'voice':
      return '[voice]'
    case 'image':
    case 'video':
    case 'file':
      return content.caption ?? `[${content.kind}]`
    case 'contacts':
      return content.contacts.map((contact) => contact.fullName).join(', ')
    case 'location':
      return content.name ?? `${content.latitude},${content.longitude}`
    case 'poll':
      return content.question
  }
}

/** Returns the content with another text, or null when the network does not allow a change. */
export function withText(content: StoredContent, text: string): StoredContent | null {
  switch (content.kind) {
    case 'text':
    case 'link':
      return { ...content, text }
    case 'image':
    case 'video':
    case 'file':
      return { ...content, caption: text }
    default:
      return null
  }
}
