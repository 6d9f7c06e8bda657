import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GatewayEvent } from '@msgctl/network/events'
import type { Driver } from '@msgctl/network/gateway'
import type { SimContext } from '#networks/simulator/context.ts'
import { operate } from '#networks/simulator/routes.ts'
import { simulator } from '#networks/simulator/simulator.ts'
import { ApiError } from '#platform/errors.ts'
import { type FakeEnvironmentOptions, fakeEnvironment } from './environment.ts'
import { BrokenConnection, badRequest, type Echo, type EngineName, WahaFailure } from './failures.ts'
import { fakeFiles } from './files.ts'
import { wahaOpenApi } from './openapi.ts'
import { payloadsOf } from './payloads.ts'
import { type Route, wahaRoutes } from './routes.ts'
import { type FakeLimits, type FakeSession, fakeSessions, isIgnored } from './sessions.ts'
import { ackShape, chatIdOf } from './shapes.ts'
import { straightRoad, type WebhookRoad, type WebhookSender, webhookSender } from './webhooks.ts'

/** How a fake server differs. */
export interface FakeWahaOptions extends FakeEnvironmentOptions {
  readonly key?: string
  /** How long a call to a session in the wrong status hangs (default: 5 s, as at WAHA). */
  readonly hangMs?: number
  readonly port?: number
  readonly road?: Partial<WebhookRoad>
  /** Whether an event counts as reported only when its webhook was accepted, so that tests can wait for it. */
  readonly waitForWebhooks?: boolean
  /** Whether receipts name the person by the hidden id. */
  readonly acksByLid?: boolean
  /** Returns where a webhook's URL leads (default: there). */
  resolve?(url: string): string | null
}

/** A response that replaces the next one to a path. */
interface PlannedFailure {
  readonly path: RegExp
  readonly status: number
  /** Gets the request, which WAHA repeats in its errors. */
  body(request: Echo): unknown
}

/** A server that speaks WAHA's HTTP in front of the simulated network. */
export interface FakeWaha {
  readonly url: string
  readonly key: string
  readonly engine: EngineName
  /** Requests, responses and webhooks that contradict WAHA's OpenAPI document. */
  readonly violations: readonly string[]
  /** Every call, like `POST /api/sendText`. */
  readonly calls: readonly string[]
  readonly webhooks: WebhookSender
  /** Shows a status that the network behind does not have. */
  show(session: string, status: FakeSession['shown'], data?: object): void
  /** Emits a webhook of a session, as if the engine had. */
  emit(session: string, event: string, payload: object): Promise<void>
  /** Shows what the network allows the account of a session, in a webhook and in every description of it. */
  limit(session: string, limits: Partial<FakeLimits>): Promise<void>
  /** Lets every send of a session fail with 400 while it shows WORKING, until it is restarted. */
  jam(session: string): void
  /** Lets a session emit no webhooks while it shows WORKING, until it is restarted; then it emits all of them. */
  deafen(session: string): void
  failNext(failure: PlannedFailure): void
  /** Lets the next call to a path wait until its caller gives up. */
  hangNext(path: RegExp): void
  /** Drops webhooks, as a host whose own connection to us is broken; `messages`: only those about messages. */
  loseWebhooks(lost: boolean | 'messages'): void
  /** Refuses connections, as a host that is down, until `resume`. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

const [defaultKey, defaultHangMs] = ['the-key-of-the-fake-waha', 5000]
const maxBodyBytes = 64 * 1024 * 1024

/** Starts the server. It keeps its sessions in memory, and everything else in the database of the network. */
export async function startFakeWaha(sim: SimContext, options: FakeWahaOptions = {}): Promise<FakeWaha> {
  const { key = defaultKey, hangMs = defaultHangMs } = options
  const environment = fakeEnvironment(options, key)
  const { engine } = environment
  const files = fakeFiles(sim.clock, environment.filesLifetimeSeconds)
  const network: Driver = simulator(sim)
  const sessions = fakeSessions({ network, engine, hangMs })
  const openApi = wahaOpenApi()
  const violations: string[] = []
  const calls: string[] = []
  const [planned, hanging]: [PlannedFailure[], RegExp[]] = [[], []]
  let isPaused = false
  let lostWebhooks: boolean | 'messages' = false
  const webhooks = webhookSender({
    road: { ...straightRoad, ...options.road },
    resolve: options.resolve ?? ((url) => url),
  })

  async function emit(session: FakeSession, event: string, payload: object): Promise<void> {
    if ('from' in payload && isIgnored(session.config, String(payload.from))) return
    if (session.unsent) return void session.unsent.push([event, payload])
    const envelope = {
      id: `evt_${randomBytes(13).toString('hex')}`,
      timestamp: sessions.tick(session),
      event,
      session: session.name,
      metadata: session.config.metadata ?? {},
      me: session.me && { ...session.me, ...session.limits },
      payload,
      engine,
      environment: environment.described,
    }
    violations.push(...openApi.webhookFaults(event, envelope))
    const isLost = lostWebhooks === 'messages' ? event.startsWith('message') : lostWebhooks
    if (!isLost) await webhooks.send(session.config.webhooks ?? [], event, envelope)
  }

  /** Emits the webhooks of one event of the network. */
  async function report(event: GatewayEvent): Promise<void> {
    const session = sessions.find(event.containerId)
    if (!session) return
    // WAHA downloads a file before it reports the message.
    if (event.kind === 'message.in' && event.message.media) files.save(event.message.networkId)
    const payloads =
      event.kind === 'session.state'
        ? sessions.reported(session, event.state).map((payload) => ['session.status', payload] as const)
        : payloadsOf(event, { engine, own: session.me?.id ?? '', acksByLid: options.acksByLid ?? false })
    for (const [name, payload] of payloads) await emit(session, name, payload)
  }

  const routes = wahaRoutes({
    network,
    sessions,
    engine,
    environment,
    files,
    began(session) {
      const unsent = session.unsent ?? []
      session.unsent = null
      for (const [event, payload] of unsent) void emit(session, event, payload)
    },
    emit: (session, event, payload) => void emit(session, event, payload),
    acknowledged: (session, to, id) => void emit(session, 'message.ack', ackShape('sent', id, chatIdOf(to))),
  })

  async function run(request: IncomingMessage, url: URL, raw: Buffer): Promise<{ status: number; body: unknown }> {
    const { method = 'GET' } = request
    if (url.pathname !== '/ping' && request.headers['x-api-key'] !== key) {
      throw new WahaFailure(401, { message: 'Unauthorized', statusCode: 401 })
    }
    const body: unknown = raw.length > 0 ? JSON.parse(raw.toString('utf8')) : undefined
    const echo = { path: request.url ?? '', method, body, query: Object.fromEntries(url.searchParams) }
    calls.push(`${method} ${url.pathname}`)
    const hangs = hanging.findIndex((path) => path.test(url.pathname))
    if (hangs >= 0) {
      hanging.splice(hangs, 1)
      await once(request.socket, 'close')
      throw new BrokenConnection()
    }
    const failure = planned.findIndex(({ path }) => path.test(url.pathname))
    const [instead] = failure < 0 ? [] : planned.splice(failure, 1)
    if (instead) throw new WahaFailure(instead.status, instead.body(echo) as object)
    const [found, parts] = findRoute(routes, method, url.pathname)
    if (!found)
      throw new WahaFailure(404, { message: `Cannot ${method} ${url.pathname}`, error: 'Not Found', statusCode: 404 })
    const faults = openApi.requestFaults(method, url.pathname, url.searchParams, body)
    violations.push(...faults)
    if (faults.length > 0) throw badRequest(faults)
    const result =
      (await found({ path: url.pathname, parts, query: url.searchParams, body: body as never, echo })) ?? null
    violations.push(...openApi.responseFaults(method, url.pathname, result))
    return { status: method === 'POST' ? 201 : 200, body: result }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://waha')
    const raw = await readAll(request)
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    try {
      if (isPaused) throw new BrokenConnection()
      if (url.pathname.startsWith('/sim/')) return void answer(200, await control(request, url, raw))
      if (url.pathname.startsWith('/api/files/')) return await sendFile(request, url, response)
      const { status, body } = await run(request, url, raw)
      answer(status, body)
    } catch (error) {
      if (error instanceof WahaFailure) answer(error.status, error.body)
      else if (error instanceof ApiError) answer(error.status, { error: error.code, message: error.message })
      else request.socket.destroy()
      if (!(error instanceof WahaFailure || error instanceof ApiError || error instanceof BrokenConnection)) {
        violations.push(`the fake server failed: ${error instanceof Error ? error.stack : error}`)
      }
    }
  }

  /** The routes that operate the simulated network, for a service that forwards them. */
  function control(request: IncomingMessage, url: URL, raw: Buffer): Promise<unknown> {
    return operate(sim, {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      remoteAddress: request.socket.remoteAddress,
      body: async () => (raw.length > 0 ? JSON.parse(raw.toString('utf8')) : {}),
    })
  }

  /** The file of a received message. */
  async function sendFile(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    if (request.headers['x-api-key'] !== key) throw new WahaFailure(401, { message: 'Unauthorized', statusCode: 401 })
    const networkId = decodeURIComponent(url.pathname.split('/').at(-1) ?? '')
    if (!files.has(networkId)) throw new WahaFailure(404, { statusCode: 404, message: 'File not found' })
    for (const session of sessions.all()) {
      const ref = { networkId, chat: { kind: 'phone', digits: '0' } as const, raw: { networkId } }
      const file = await network.fetchMedia(sessions.toNumber(session), ref).catch(() => null)
      if (!file) continue
      response.writeHead(200, { 'content-type': file.mimetype })
      file.bytes.pipe(response)
      return
    }
    throw new WahaFailure(404, { statusCode: 404, message: 'File not found' })
  }

  const server = createServer(
    (request, response) => void respond(request, response).catch(() => request.socket.destroy()),
  )
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const unsubscribe = network.subscribe(async (events) => {
    const reports = events.map((event) => report(event))
    if (options.waitForWebhooks) await Promise.all(reports)
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    engine,
    violations,
    calls,
    webhooks,
    show(name, status, data) {
      const session = sessions.require(name)
      session.shown = status
      void emit(session, 'session.status', { name, status: status ?? 'STARTING', statuses: [], data: data ?? null })
    },
    emit: (name, event, payload) => emit(sessions.require(name), event, payload),
    async limit(name, limits) {
      const session = sessions.require(name)
      session.limits = { ...session.limits, ...limits }
      const { status } = await network.state(sessions.toNumber(session))
      await emit(session, 'session.status', { name, status, statuses: session.statuses, data: session.limits })
    },
    jam(name) {
      sessions.require(name).isJammed = true
    },
    deafen(name) {
      sessions.require(name).unsent = []
    },
    failNext: (failure) => void planned.push(failure),
    hangNext: (path) => void hanging.push(path),
    loseWebhooks(lost) {
      lostWebhooks = lost
    },
    pause() {
      isPaused = true
      server.closeAllConnections()
    },
    resume() {
      isPaused = false
    },
    async stop() {
      webhooks.stop()
      await unsubscribe()
      await network.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): readonly [Route[2] | null, readonly string[]] {
  for (const [verb, pattern, run] of routes) {
    const match = verb === method ? pattern.exec(path) : null
    if (match) return [run, match.slice(1)]
  }
  return [null, []]
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxBodyBytes) throw new BrokenConnection()
    parts.push(part)
  }
  return Buffer.concat(parts)
}
