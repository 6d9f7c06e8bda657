/** One HTTP request as the client hands it to a {@link Transport}. */
export interface TransportRequest {
  readonly method: string
  /** Names in lower case. */
  readonly headers: Record<string, string>
  /** JSON text; absent when the request has no body. */
  readonly body?: string
  /** A redirect must come back as the 3xx answer it is: the key would travel to wherever it points. */
  readonly redirect: 'manual'
  /** When it aborts, the connection must be closed and any pending promise rejected. */
  readonly signal: AbortSignal
}

/** The part of a web stream the client reads with. */
interface ByteStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    cancel(): Promise<void>
  }
}

/** One HTTP answer. A `Response` is one; so is an object of these three over a Node stream. */
export interface TransportResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** The bytes after transfer and content decoding; null for no body. */
  readonly body: ByteStream | AsyncIterable<Uint8Array> | null
}

/**
 * All the client asks of `fetch`: take an absolute URL and a {@link TransportRequest}, answer a
 * {@link TransportResponse} as soon as its head has arrived, reject when there is no answer. A rejection whose `code`,
 * or whose `cause.code`, is one of Node's (ECONNREFUSED, ENOTFOUND ...) tells the client that nothing was sent.
 */
export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>

/** An answer grew over the bound the client reads. */
export class AnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer is larger than ${maxBytes} bytes.`)
    this.name = 'AnswerTooLarge'
  }
}

/** The chunks of a body. Leaving the loop early closes the connection. */
export async function* chunksOf(body: TransportResponse['body']): AsyncGenerator<Uint8Array, void, undefined> {
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
    // A stream that has failed refuses to be cancelled; its failure is already on its way to the caller.
    reader.cancel().catch(() => {})
  }
}

/** The whole body as text. Throws {@link AnswerTooLarge} as soon as it exceeds `maxBytes`. */
export async function readText(body: TransportResponse['body'], maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of chunksOf(body)) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new AnswerTooLarge(maxBytes)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
