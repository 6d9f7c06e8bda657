/** One HTTP request that the client passes to a {@link Transport}. */
export interface TransportRequest {
  readonly method: string
  /** Names in lower case. */
  readonly headers: Record<string, string>
  /** JSON text, or the bytes of an upload; absent when the request has no body. */
  readonly body?: string | ArrayBuffer
  /** Redirects must be returned, not followed: following one would send the key to its target. */
  readonly redirect: 'manual'
  /** On abort, close the connection and reject any pending promise. */
  readonly signal: AbortSignal
}

/** The part of a web stream that the client uses. */
interface ByteStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    cancel(): Promise<void>
  }
}

/** One HTTP response: a `Response`, or an object with these three fields over a Node.js stream. */
export interface TransportResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** The bytes after transfer and content decoding; null for no body. */
  readonly body: ByteStream | AsyncIterable<Uint8Array> | null
}

/**
 * The part of `fetch` that the client uses. It takes an absolute URL and a {@link TransportRequest}, and resolves with
 * a {@link TransportResponse} when the head has arrived. It rejects without a response. With a `code` or `cause.code`
 * of Node.js (ECONNREFUSED, ENOTFOUND ...) the client knows that nothing was sent.
 */
export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>

/** Thrown when a response is larger than the bound of the client. */
export class ResponseTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The response is larger than ${maxBytes} bytes.`)
    this.name = 'ResponseTooLarge'
  }
}

/** Yields the chunks of a body. Leaving the loop early closes the connection. */
export async function* readChunks(body: TransportResponse['body']): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return
  if (!('getReader' in body)) {
    yield* body
    return
  }
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      if (value) yield value
    }
  } finally {
    // A failed stream rejects the cancel; the caller gets its failure from read().
    reader.cancel().catch(() => {})
  }
}

/** Returns the body as bytes. Throws {@link ResponseTooLarge} as soon as it exceeds `maxBytes`. */
export async function readBytes(body: TransportResponse['body'], maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of readChunks(body)) {
    length += chunk.byteLength
    if (length > maxBytes) throw new ResponseTooLarge(maxBytes)
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/** Returns the body as text. Throws {@link ResponseTooLarge} as soon as it exceeds `maxBytes`. */
export async function readText(body: TransportResponse['body'], maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(body, maxBytes))
}
