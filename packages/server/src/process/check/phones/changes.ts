import { refusalText } from './advice.ts'
import { type Bench, seconds } from './exchange.ts'
import { type ReceivedMessage, readReceived } from './exchange-store.ts'
import type { Pair } from './pair.ts'
import { readUntil } from './poll.ts'

/** A message that arrived, whose change is checked. */
export interface Arrived {
  readonly messageId: string
  readonly networkId: string
}

/** A change of a message by the number, and how the peer sees that it came. */
interface Change {
  readonly message: Arrived
  run(): Promise<void>
  isDone(received: ReceivedMessage): boolean
  /** What is wrong when it does not come. */
  readonly otherwise: string
}

/** Changes a message, and waits until the peer has the change. */
export async function checkChange(
  { services, withinMs }: Bench,
  { peer }: Pair,
  { message, run, isDone, otherwise }: Change,
): Promise<{ readonly isOk: boolean; readonly text: string }> {
  const startedMs = performance.now()
  try {
    await run()
  } catch (error) {
    return { isOk: false, text: refusalText(error) }
  }
  const takenMs = performance.now() - startedMs
  const place = { containerId: peer.containerId, networkId: message.networkId }
  const hasCome = (found: ReceivedMessage | undefined) => found !== undefined && isDone(found)
  const received = await readUntil(() => readReceived(services.db, place), hasCome, withinMs)
  if (hasCome(received)) {
    return { isOk: true, text: `taken ${seconds(takenMs)}, received ${seconds(performance.now() - startedMs)}` }
  }
  const shown = received?.isEdited ? ` It shows ${JSON.stringify(received.text)}.` : ''
  return { isOk: false, text: `${otherwise} in ${seconds(withinMs)}.${shown}` }
}
