import { createHash } from 'node:crypto'
import type { Services } from '#services.ts'
import { failureText, refusalText } from './advice.ts'
import { type ReceivedMessage, readReceived, readSend, type SendState } from './exchange-store.ts'
import type { Side } from './pair.ts'
import { readUntil } from './poll.ts'
import { fetchFile, takeBack } from './requests.ts'

/** What the check works with: the services beside a running worker, and how long it waits for each thing. */
export interface Bench {
  readonly services: Services
  readonly withinMs: number
}

/** One message from one number to the other, and what must arrive. */
export interface Exchange {
  readonly from: Side
  readonly to: Side
  /** Sends it and returns its message id. */
  send(): Promise<string>
  /** What must be in the text of what arrives; null: anything. */
  readonly text: string | null
  /** The bytes of its file. */
  readonly file?: Buffer
}

/** A message that arrived as it was sent, or why it did not. */
export type Exchanged =
  | { readonly isOk: true; readonly text: string; readonly messageId: string; readonly networkId: string }
  | { readonly isOk: false; readonly text: string }

const failed = (text: string): Exchanged => ({ isOk: false, text })

/** Sends one message, and waits until the peer has it, its file is the same and its receipt is back. */
export async function exchange(bench: Bench, { from, to, send, text, file }: Exchange): Promise<Exchanged> {
  const startedMs = performance.now()
  const { db } = bench.services
  let messageId: string
  try {
    messageId = await send()
  } catch (error) {
    return failed(refusalText(error))
  }
  const id = { organizationId: from.organizationId, messageId }
  const isLeft = (state: SendState | undefined) => state?.networkId !== null || state.status === 'failed'
  const sent = await readUntil(() => readSend(db, id), isLeft, bench.withinMs)
  if (!sent || sent.networkId === null || sent.status === 'failed')
    return failed(await unsentText(bench, { from, to }, messageId, sent))
  const { networkId } = sent
  const place = { containerId: to.containerId, networkId }
  const received = await readUntil(
    () => readReceived(db, place),
    (found) => found !== undefined,
    bench.withinMs,
  )
  const receivedMs = performance.now() - startedMs
  if (!received) return failed(lostText(await readSend(db, id), to, bench))
  const fault = contentFault(received, text) ?? (file ? await fileFault(bench, to, received.id, file) : null)
  if (fault !== null) return failed(fault)
  const isDelivered = (state: SendState | undefined) => state?.deliveredMs !== null
  const delivered = await readUntil(() => readSend(db, id), isDelivered, bench.withinMs)
  if (!delivered || delivered.deliveredMs === null) {
    return failed(`The peer received it, but no delivery receipt came back in ${seconds(bench.withinMs)}.`)
  }
  const times = [
    `sent ${seconds(delivered.sentMs ?? 0)}`,
    `delivered ${seconds(delivered.deliveredMs)}`,
    `received ${seconds(receivedMs)}`,
    ...(file ? [`file of ${file.length} bytes identical`] : []),
  ]
  return { isOk: true, text: times.join(', '), messageId, networkId }
}

/** Returns milliseconds as people read them. */
export function seconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`
}

/** Returns why a message did not leave. One that waits is cancelled: it would leave when the check is long over. */
async function unsentText(
  bench: Bench,
  { from, to }: Pick<Exchange, 'from' | 'to'>,
  messageId: string,
  state: SendState | undefined,
): Promise<string> {
  const { services, withinMs } = bench
  const within = seconds(withinMs)
  if (state?.status === 'failed') return failureText(state.errorCode, state.error)
  if (state?.status === 'queued' && (await takeBack(bench, from, messageId))) {
    if (state.heldBy) return `The guard rule ${state.heldBy} held it in the queue. It was cancelled.`
    if (!state.attempt) return `It stayed in the queue for ${within} and was cancelled. Does a worker run?`
  }
  const networkId = state?.chosenId ?? ''
  if (await readReceived(services.db, { containerId: to.containerId, networkId })) {
    return `The peer received it, but the network acknowledged nothing in ${within}: acknowledgements are lost.`
  }
  if (state?.attempt) return failureText(null, state.attempt)
  return `The network acknowledged nothing in ${within}. Restart the number: npx msgctl numbers reconnect`
}

function lostText(state: SendState | undefined, to: Side, { withinMs }: Bench): string {
  const within = seconds(withinMs)
  const phone = `the phone of +${to.phone}`
  if (!state || state.deliveredMs === null) {
    return (
      `The network acknowledged it, but neither the peer nor a receipt came in ${within}. Check ${phone}: without ` +
      'the message there, the network dropped it.'
    )
  }
  return (
    `The network acknowledged it and ${phone} received it, but the service stored nothing in ${within}: the linked ` +
    'device got no copy, or could not read it.'
  )
}

function contentFault({ text }: ReceivedMessage, wanted: string | null): string | null {
  if (wanted === null || text.includes(wanted)) return null
  return `It arrived with another text: ${JSON.stringify(text)} and not ${JSON.stringify(wanted)}.`
}

async function fileFault({ services }: Bench, to: Side, id: string, file: Buffer): Promise<string | null> {
  let found: Buffer
  try {
    found = await fetchFile(services, to, id)
  } catch (error) {
    return `It arrived, but its file cannot be fetched. ${refusalText(error)}`
  }
  if (sha256(found) === sha256(file)) return null
  return `It arrived with another file: ${found.length} bytes, sha256 ${sha256(found)}; sent were ${file.length} bytes.`
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
