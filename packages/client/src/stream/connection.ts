import { type Failure, finalFailure, toFailure, toRequest } from '../attempt.ts'
import { Deadline } from '../deadline.ts'
import type { Core, Prepared } from '../prepare.ts'
import { isRedirect, unreadableError } from '../response.ts'
import { readChunks, readText, type TransportResponse } from '../transport.ts'
import { type Block, EventParser } from './sse.ts'

/** The longest event that is read, in characters. The text of a message has at most 4,096. */
const maxEventLength = 1024 * 1024
/** The largest error response that is read. */
const maxErrorBytes = 1024 * 1024

/** Thrown when the response is not a stream. */
export class StreamRefused extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.fields.message)
    this.failure = failure
  }
}

function isEventStream(response: TransportResponse): boolean {
  return (response.headers.get('content-type') ?? '').toLowerCase().startsWith('text/event-stream')
}

async function open(core: Core, prepared: Prepared, signal: AbortSignal): Promise<TransportResponse> {
  const credentials = await core.settings.credentials()
  const response = await core.settings.transport(prepared.url, await toRequest(prepared, credentials, signal))
  const { status } = response
  if (status >= 200 && status < 300) {
    if (isEventStream(response)) return response
    throw new StreamRefused(finalFailure(unreadableError(response, 'the response is not an event stream')))
  }
  throw new StreamRefused(
    toFailure(core, response, isRedirect(status) ? '' : await readText(response.body, maxErrorBytes)),
  )
}

/**
 * Yields the blocks of one connection until the server ends it. Rejects with {@link StreamRefused}, `EventTooLarge`,
 * `Stopped` (no byte within `idleMs`, or an abort), or the error of the transport. Leaving the loop closes the
 * connection.
 */
export async function* readBlocks(
  core: Core,
  prepared: Prepared,
  idleMs: number,
  onOpen: () => void,
): AsyncGenerator<Block, void, undefined> {
  const guard = new Deadline(core.clock, prepared.signal)
  const parser = new EventParser(maxEventLength)
  const decoder = new TextDecoder()
  try {
    const { body } = await guard.within(prepared.timeoutMs, () => open(core, prepared, guard.signal))
    onOpen()
    const chunks = readChunks(body)
    for (;;) {
      const { done, value } = await guard.within(idleMs, () => chunks.next())
      if (done) return
      yield* parser.push(decoder.decode(value, { stream: true }))
    }
  } finally {
    guard.end()
  }
}
