import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CallHead, HostOperation, WireFailure } from '@msgctl/network/calls'
import { GatewayError } from '@msgctl/network/errors'
import { isSignedCall, notOwnedStatus, readCallHeaders } from '@msgctl/network/wire'
import { toGatewayError } from '../number/call-failures.ts'
import type { HostedNumber } from '../number/number.ts'
import type { HostLog } from '../process/log.ts'
import { type AnyCall, type CallContext, isEnd, operations, probe } from './operations.ts'
import { readCall } from './read-call.ts'

/** What the calls of servers need. */
export interface RpcContext {
  readonly key: Buffer
  readonly numbers: ReadonlyMap<string, HostedNumber>
  readonly context: CallContext
  readonly log: HostLog
  /** Called after each call, with its duration and whether it failed. */
  readonly observe: (operation: string, seconds: number, failure: string | null) => void
  /** Ends this process as a crash does (default: by SIGKILL). */
  readonly end?: () => void
}

/** The response to the call that ends a host has left by then. */
const endAfterMs = 50

/** Creates the HTTP server of a host: `POST /rpc/<operation>` and `GET /healthz`. */
export function createRpcServer(rpc: RpcContext): Server {
  const server = createServer((request, response) => {
    handle(rpc, request, response).catch((err: unknown) => {
      rpc.log.warn({ event: 'call_failed', err }, 'failed to respond to a call')
      response.destroy()
    })
  })
  // Servers keep their connections open between calls.
  server.keepAliveTimeout = 60_000
  return server
}

async function handle(rpc: RpcContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/'
  if (request.method === 'GET' && path === '/healthz') return respond(response, 200, { ok: true })
  const operation = /^\/rpc\/(\w+)$/.exec(path)?.[1] ?? ''
  const isKnown = operation === 'probe' || Object.hasOwn(operations, operation)
  if (request.method !== 'POST' || !isKnown) return respond(response, 404, {})
  return handleCall(rpc, operation as HostOperation, request, response)
}

async function handleCall(
  rpc: RpcContext,
  operation: HostOperation,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = readCallHeaders(request.headers, Date.now())
  if (!headers) {
    // Nothing was read of the body, which may never end.
    response.setHeader('connection', 'close')
    return respond(response, 401, {})
  }
  const body = await readCall(request).catch(() => null)
  if (!body) return respond(response, 400, {})
  const call = { timeMs: headers.timeMs, operation, head: body.head }
  if (!isSignedCall(rpc.key, call, headers.signature, Date.now())) return respond(response, 401, {})
  const head = parseHead(body.head)
  if (!head) return respond(response, 409, unreadable)
  const number = rpc.numbers.get(head.containerId)
  const isOfHost = operation === 'probe' && head.containerId === ''
  if (!number && !isOfHost) return respond(response, notOwnedStatus, {})
  const startedMs = performance.now()
  const seconds = () => (performance.now() - startedMs) / 1000
  try {
    const file = head.file ? body.file(head.file) : null
    const result = await run(operation, { number: number ?? null, head, file }, rpc.context)
    rpc.observe(operation, seconds(), null)
    if (operation === 'process' && isEnd(head)) endAfter(response, rpc.end)
    if (result instanceof Readable) return await stream(response, result)
    respond(response, 200, { value: result ?? null })
  } catch (error) {
    const failure = failureOf(rpc, error)
    rpc.observe(operation, seconds(), failure.kind)
    respond(response, 409, failure)
  } finally {
    request.resume()
  }
}

/** Ends this process once a response has left. */
function endAfter(response: ServerResponse, end: () => void = () => process.kill(process.pid, 'SIGKILL')): void {
  response.once('finish', () => setTimeout(end, endAfterMs))
}

type Call = Omit<AnyCall, 'number'> & { readonly number: HostedNumber | null }

function run(operation: HostOperation, call: Call, context: CallContext): Promise<unknown> {
  if (operation === 'probe') return probe(call.number, context)
  const handle = operations[operation] as (call: Call, context: CallContext) => Promise<unknown>
  return handle(call, context)
}

const unreadable: WireFailure = {
  kind: 'rejected',
  outcome: 'not_sent',
  safeMessage: 'The gateway host cannot read the call. Run the same release on servers and hosts.',
}

/** Returns the head of a call; null for one that names no number. Its other fields are those of the operation. */
function parseHead(bytes: Buffer): CallHead<HostOperation> | null {
  try {
    const head = JSON.parse(bytes.toString()) as Partial<CallHead<HostOperation>> | null
    return typeof head?.containerId === 'string' ? (head as CallHead<HostOperation>) : null
  } catch {
    return null
  }
}

async function stream(response: ServerResponse, file: Readable): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/octet-stream' })
  await pipeline(file, response)
}

/** Returns a failure for the server. It contains nothing of the call: no address and no text. */
function failureOf(rpc: RpcContext, error: unknown): WireFailure {
  try {
    const { kind, outcome, safeMessage, retryAfterMs, blockedUntil } = toGatewayError(error, 'message')
    return {
      kind,
      outcome,
      safeMessage,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(blockedUntil === undefined ? {} : { blockedUntilMs: blockedUntil.getTime() }),
    }
  } catch (err) {
    rpc.log.warn({ event: 'call_broke', err }, 'failed to execute a call')
    const { kind, outcome, safeMessage } = new GatewayError('rejected', 'The gateway host failed.', {
      outcome: 'unknown',
    })
    return { kind, outcome, safeMessage }
  }
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
