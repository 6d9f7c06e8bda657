import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type Koa from 'koa'
import type { Frame } from './handler.ts'

/** How long a caller may leave its side of a stream unread before the stream is closed. */
const unreadTimeoutMs = 60_000

/**
 * Responds with a stream of server-sent events. It bypasses Koa's response, because the status is sent long before the
 * end. Rejects with what the frames threw; the stream has ended then.
 */
export async function serveStream(
  ctx: Koa.Context,
  frames: AsyncIterable<Frame<unknown>>,
  signal: AbortSignal,
): Promise<void> {
  ctx.respond = false
  ctx.res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
  ctx.res.flushHeaders()
  await writeFrames(ctx.res, frames, signal)
}

/** The text of one frame as server-sent events want it. Throws when `id` or `event` is not a single line. */
export function frameText({ id, event, data, comment }: Frame<unknown>): string {
  for (const line of [id, event]) if (line !== undefined && /[\r\n\0]/.test(line)) throw new Error('not a single line')
  const lines: string[] = []
  if (comment !== undefined) lines.push(...comment.split(/\r\n|\r|\n/).map((line) => `: ${line}`))
  if (id !== undefined) lines.push(`id: ${id}`)
  if (event !== undefined) lines.push(`event: ${event}`)
  // JSON has no raw line break, so one line of data is always enough.
  if (data !== undefined) lines.push(`data: ${JSON.stringify(data)}`)
  return `${lines.join('\n')}\n\n`
}

/**
 * Writes frames until they end, the caller leaves, or `signal` aborts; then it ends the stream and calls the iterator's
 * `return`. A frame is pulled only when the buffer of the connection accepted the one before it. Rejects with what the
 * iterator threw.
 */
async function writeFrames(
  res: ServerResponse,
  frames: AsyncIterable<Frame<unknown>>,
  signal: AbortSignal,
): Promise<void> {
  const iterator = frames[Symbol.asyncIterator]()
  const interruptible = interruptibleBy(signal)
  try {
    for (;;) {
      const next = await interruptible(iterator.next())
      if (next === 'aborted' || next.done) return
      if (!res.write(frameText(next.value)) && !(await writableAgain(res, interruptible))) return
    }
  } finally {
    res.end()
    // A generator that still waits handles its return later; this response does not depend on it.
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}

/** Awaits one thing at a time, until `signal` aborts. */
type Interruptible = <T>(wait: Promise<T>) => Promise<T | 'aborted'>

/**
 * One listener on the signal serves all waits, through a resolver that each replaces. A race of each wait with one
 * promise of the abort would leave a reaction on that promise for every frame, as long as the stream lives.
 */
function interruptibleBy(signal: AbortSignal): Interruptible {
  let interrupt = () => {}
  signal.addEventListener('abort', () => interrupt(), { once: true })
  return (wait) =>
    new Promise((resolve, reject) => {
      interrupt = () => resolve('aborted')
      wait.then(resolve, reject)
      if (signal.aborted) interrupt()
    })
}

async function writableAgain(res: ServerResponse, interruptible: Interruptible): Promise<boolean> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), unreadTimeoutMs)
  try {
    const drained = once(res, 'drain', { signal: late.signal }).then(
      () => true,
      () => false,
    )
    return (await interruptible(drained)) === true
  } finally {
    clearTimeout(timer)
    late.abort()
  }
}
