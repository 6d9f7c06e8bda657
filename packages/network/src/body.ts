/** How a body is read. */
export interface BodyLimits {
  /** The signal that the request was made with. */
  readonly signal: AbortSignal
  readonly maxBytes: number
  /** Returns the error for a longer body. */
  tooLong(): Error
}

/**
 * Reads the body of a response of `fetch`. Rejects with the reason of the signal when it aborts before the end.
 *
 * `fetch` itself holds the signal weakly once it has a response: after a garbage collection it would continue to wait
 * for a body that never ends.
 */
export async function readBody({ body }: Response, { signal, maxBytes, tooLong }: BodyLimits): Promise<Buffer> {
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader()
  // What is lost with the connection is of no interest any more.
  const stop = () => void reader?.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop)
  try {
    const parts: Uint8Array[] = []
    let bytes = 0
    for (;;) {
      signal.throwIfAborted()
      const part = await reader?.read()
      signal.throwIfAborted()
      if (!part || part.done) return Buffer.concat(parts)
      bytes += part.value.byteLength
      if (bytes > maxBytes) throw tooLong()
      parts.push(part.value)
    }
  } catch (error) {
    stop()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
