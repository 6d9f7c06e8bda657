import { GatewayError } from '@msgctl/network/errors'
import type { Finding } from '#process/check/finding.ts'
import { refusalText } from './advice.ts'
import { type Arrived, checkChange } from './changes.ts'
import { type Bench, type Exchange, exchange } from './exchange.ts'
import { type Ask, look, sights } from './eyes.ts'
import { endHost } from './kill.ts'
import { type KindWord, kinds, photoCaption } from './kinds.ts'
import type { Pair, Side } from './pair.ts'
import { hasChat } from './pair-store.ts'
import { deleteMessage, editMessage, forwardMessage, queueText, sendContent } from './requests.ts'

const kindWords = Object.keys(kinds) as KindWord[]

/** What can be chosen beside the texts, which are always sent. */
export const stepWords = ['check', ...kindWords, 'edit', 'caption', 'forward', 'delete'] as const

export type StepWord = (typeof stepWords)[number]

/** How two numbers are checked. */
export interface PhonesCheck {
  readonly steps: ReadonlySet<StepWord>
  /** Whether the gateway host of the number is ended once. */
  readonly kill: boolean
  readonly ask: Ask
  /** Receives each finding as soon as it is known. */
  readonly onFinding: (finding: Finding) => void
}

const text = (from: Side) => `check: a text from +${from.phone}`

/**
 * Lets two numbers write to each other, and compares what arrives with what was sent. The messages stay in both chats.
 * After a text that did not arrive, nothing else is tried.
 */
export async function checkPhones(bench: Bench, pair: Pair, check: PhonesCheck): Promise<Finding[]> {
  const { services } = bench
  const { number, peer } = pair
  const { steps, ask, kill } = check
  const findings: Finding[] = []
  const note = (finding: Finding) => {
    findings.push(finding)
    check.onFinding(finding)
    return finding.outcome === 'ok'
  }
  const judged = (name: string, { isOk, text }: { isOk: boolean; text: string }) =>
    note({ name, outcome: isOk ? 'ok' : 'failed', text })

  async function exchanged(name: string, message: Exchange): Promise<Arrived | null> {
    const result = await exchange(bench, message)
    judged(name, result)
    return result.isOk ? result : null
  }
  const sendText = (name: string, from: Side, to: Side) =>
    exchanged(name, { from, to, text: text(from), send: () => queueText(services, from, to, text(from)) })

  if (steps.has('check')) for (const [from, to] of both(pair)) note(await checkOne(bench, from, to))
  const warmth = (await hasChat(services.db, number.containerId, peer.phone)) ? 'Warm text' : 'Cold text'
  const first = await sendText(warmth, number, peer)
  const back = await sendText('Text back', peer, number)
  if (!first || !back) {
    note({ name: 'The rest', outcome: 'note', text: 'Not tried, because a text did not arrive.' })
    return findings
  }
  const arrived = new Map<KindWord, Arrived>()
  for (const word of kindWords.filter((one) => steps.has(one))) {
    const kind = kinds[word]
    const send = () => sendContent(services, number, peer, kind)
    const file = 'file' in kind && kind.file ? { file: kind.file } : {}
    const found = await exchanged(kind.name, { from: number, to: peer, text: kind.text, send, ...file })
    if (found) arrived.set(word, found)
  }
  if (arrived.size > 0) note(await look(ask, sights.kinds))
  await checkChanges()
  note({ name: 'Vote', outcome: 'note', text: 'Not tried: linked devices of ours do not vote. Vote on the phone.' })
  note(await look(ask, sights.ringing))
  if (kill && note(await endHost(bench, pair))) {
    await sendText('Text after it', number, peer)
    await sendText('Text back after it', peer, number)
  }
  return findings

  async function checkChanges(): Promise<void> {
    const { messageId } = first as Arrived
    if (steps.has('edit')) {
      const message = 'check: an edited text'
      const edited = {
        message: first as Arrived,
        run: () => editMessage(services, number, messageId, { message }),
        isDone: (found: { text: string }) => found.text === message,
        otherwise: 'The network took the edit, but the peer got none',
      }
      judged('Edit', await checkChange(bench, pair, edited))
    }
    const photo = arrived.get('image')
    if (steps.has('caption') && photo) {
      const caption = `${photoCaption}, edited`
      const edited = {
        message: photo,
        run: () => editMessage(services, number, photo.messageId, { caption }),
        isDone: (found: { text: string }) => found.text === caption,
        otherwise: 'The network took the new caption, but the peer has it not',
      }
      if (judged('Caption', await checkChange(bench, pair, edited))) note(await look(ask, sights.caption))
    }
    if (steps.has('forward')) {
      const send = () => forwardMessage(services, number, peer, messageId)
      await exchanged('Forward', { from: number, to: peer, text: null, send })
    }
    if (steps.has('delete')) {
      const deleted = {
        message: first as Arrived,
        run: () => deleteMessage(services, number, messageId),
        isDone: (found: { isRevoked: boolean }) => found.isRevoked,
        otherwise: 'The network took the deletion, but the peer still has the message',
      }
      judged('Delete', await checkChange(bench, pair, deleted))
    }
  }
}

function both({ number, peer }: Pair): [Side, Side][] {
  return [
    [number, peer],
    [peer, number],
  ]
}

/** Queries the network through one number whether the other one is on it. */
async function checkOne({ services }: Bench, from: Side, to: Side): Promise<Finding> {
  const name = `Check of +${to.phone}`
  const { containerId, organizationId, gateway } = from
  try {
    const found = (await services.gateway.check({ containerId, organizationId, gateway }, [to.phone])).get(to.phone)
    if (found?.exists) return { name, outcome: 'ok', text: 'is on the network' }
    const text = found
      ? 'The network says that it is not there, although its phone is linked.'
      : 'The network did not say.'
    return { name, outcome: 'failed', text }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { name, outcome: 'failed', text: refusalText(error) }
  }
}
