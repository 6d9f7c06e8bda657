import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { readBody } from '@msgctl/network/body'
import type { FileHead, HostCalls, HostOperation, WireFailure } from '@msgctl/network/calls'
import { GatewayError, type GatewayErrorKind } from '@msgctl/network/errors'
import type { Secrets } from '@msgctl/network/secrets'
import { startTimeLimit } from '@msgctl/network/timeout'
import { encodeHead, notOwnedStatus, rpcKeyPurpose, signatureHeader, signCall, timeHeader } from '@msgctl/network/wire'

/** Bytes that can be read from their beginning several times. */
export interface CallFile {
  readonly bytes: () => Readable
  readonly sizeBytes: number
}

/** One call to a number. */
export interface HostCall<Operation extends HostOperation> {
  readonly operation: Operation
  readonly containerId: string
  readonly args: HostCalls[Operation]
  readonly file?: CallFile | undefined
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Finds the host of a number. `fresh` reads it again, because the host that was known does not own the number. */
type FindHost = (containerId: string, fresh: boolean) => Promise<string | null>

/** The time of this machine: hosts accept a call by their own, which no moved service clock changes. */
export const machineMs = (): number => performance.timeOrigin + performance.now()

export interface HostClientContext {
  readonly secrets: Pick<Secrets, 'derive'>
  readonly findHost: FindHost
  /** The machine's clock, by which hosts accept a call. */
  readonly nowMs: () => number
}

const unreachable = (outcome: 'not_sent' | 'unknown') =>
  new GatewayError('unreachable', 'The gateway host of the number does not respond.', { outcome })

/** Calls the hosts of numbers. Every call throws a GatewayError. */
export class HostClient {
  readonly #context: HostClientContext

  constructor(context: HostClientContext) {
    this.#context = context
  }

  /** Returns the value of a call. */
  async call<Value, Operation extends HostOperation>(call: HostCall<Operation>): Promise<Value> {
    const response = await this.#respond(call)
    const { value } = (await readJson(response)) as { value: Value }
    return value
  }

  /** Returns the file of a call, or null. */
  async download(call: HostCall<'fetchMedia'>): Promise<Readable | null> {
    const response = await this.#respond(call)
    if (response.headers.get('content-type') === 'application/json' || !response.body) {
      await response.body?.cancel()
      return null
    }
    return Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  }

  /** Sends a call to the owner of the number; once more when the number has moved. */
  async #respond<Operation extends HostOperation>(call: HostCall<Operation>): Promise<Response> {
    if (call.signal?.aborted) throw new GatewayError('timeout', 'The caller has given up.', { outcome: 'not_sent' })
    const head = await headOf(call)
    for (const fresh of [false, true]) {
      const url = await this.#context.findHost(call.containerId, fresh)
      if (url === null) throw unreachable('not_sent')
      const response = await this.#post(url, call, head)
      if (response === 'refused' || response.status === notOwnedStatus) continue
      if (response.ok) return response
      throw await failureOf(response)
    }
    throw unreachable('not_sent')
  }

  async #post<Operation extends HostOperation>(
    url: string,
    { operation, file, timeoutMs, signal }: HostCall<Operation>,
    head: Buffer,
  ): Promise<Response | 'refused'> {
    const key = this.#context.secrets.derive(rpcKeyPurpose)?.key
    if (!key) throw new GatewayError('unreachable', 'SECRETS_KEYS is not set, so gateway hosts cannot be called.')
    const timeMs = this.#context.nowMs()
    const headers = {
      [timeHeader]: String(timeMs),
      [signatureHeader]: signCall(key, { timeMs, operation, head }),
    }
    const limit = new AbortController()
    const stop = () => limit.abort()
    // The host has the same limit, and a moment to report that it passed.
    const timer = setTimeout(stop, timeoutMs + 2000)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const body = file ? Readable.toWeb(Readable.from(joined(encodeHead(head), file))) : encodeHead(head)
      const options = { method: 'POST', headers, body, duplex: 'half', signal: limit.signal }
      return await fetch(`${url}/rpc/${operation}`, options as RequestInit)
    } catch (error) {
      if (limit.signal.aborted) throw new GatewayError('timeout', 'The gateway host did not respond in time.')
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      if (code === 'ECONNREFUSED') return 'refused'
      throw unreachable('unknown')
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }
}

/** A host writes its response at once. */
const readMs = 10_000
const mostResponseBytes = 16 * 1024 * 1024

async function readJson(response: Response): Promise<unknown> {
  const limit = startTimeLimit(readMs)
  const tooLong = () => new Error('it is too long')
  try {
    const body = await readBody(response, { signal: limit.signal, maxBytes: mostResponseBytes, tooLong })
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    const { message } = error as Error
    throw new GatewayError('unreachable', `The response of the gateway host cannot be read: ${message}.`, {
      outcome: 'unknown',
    })
  } finally {
    limit.end()
  }
}

async function headOf<Operation extends HostOperation>(call: HostCall<Operation>): Promise<Buffer> {
  const { containerId, args, file } = call
  const facts = file ? { file: await factsOf(file) } : {}
  return Buffer.from(JSON.stringify({ ...args, containerId, ...facts }))
}

async function factsOf(file: CallFile): Promise<FileHead> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const part of file.bytes()) {
    const bytes = part as Buffer
    sizeBytes += bytes.length
    hash.update(bytes)
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

async function* joined(start: Buffer, file: CallFile): AsyncGenerator<Buffer> {
  yield start
  for await (const part of file.bytes()) yield part as Buffer
}

const kinds: readonly GatewayErrorKind[] = [
  'session',
  'unreachable',
  'timeout',
  'rejected',
  'recipient',
  'restricted',
  'new_chat_refused',
  'contact_refused',
  'unsupported',
]

/** What the operator has to repair. A host that is configured like the server responds with none of these. */
const refusals: Readonly<Record<number, string>> = {
  401:
    'does not accept the signature of the server: their clocks differ by more than a minute, or their ' +
    'SECRETS_KEYS differ',
  404: 'does not know the call: it runs an older release',
}

async function failureOf(response: Response): Promise<GatewayError> {
  const { status } = response
  if (status !== 409) {
    await response.body?.cancel()
    const outcome = status < 500 ? 'not_sent' : 'unknown'
    return new GatewayError('unreachable', `The gateway host ${refusals[status] ?? `responded ${status}`}.`, {
      outcome,
    })
  }
  const failure = (await readJson(response)) as WireFailure
  const kind = kinds.find((one) => one === failure.kind) ?? 'rejected'
  return new GatewayError(kind, failure.safeMessage, {
    outcome: failure.outcome,
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(failure.blockedUntilMs === undefined ? {} : { blockedUntil: new Date(failure.blockedUntilMs) }),
  })
}
