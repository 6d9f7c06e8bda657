import { GatewayError } from '@msgctl/network/errors'
import type { Driver } from '@msgctl/network/gateway'
import type { NetAddress } from '@msgctl/network/session'
import type { FakeEnvironment } from './environment.ts'
import { type Echo, type EngineName, fromNetwork, nothingPending, onlyDefault, WahaFailure } from './failures.ts'
import type { FakeFiles } from './files.ts'
import { messageRoutes } from './message-routes.ts'
import { readRoutes } from './read-routes.ts'
import { type FakeSession, type FakeSessions, reached, type SessionConfig } from './sessions.ts'

/** What the routes work with. */
export interface RouteContext {
  readonly network: Driver
  readonly sessions: FakeSessions
  readonly engine: EngineName
  readonly environment: FakeEnvironment
  readonly files: FakeFiles
  /** A session was started or restarted: it emits webhooks again. */
  began(session: FakeSession): void
  /** Emits a webhook of a session. */
  emit(session: FakeSession, event: string, payload: object): void
  /** Called after the network acknowledged a message that the engine had responded for before. */
  acknowledged(session: FakeSession, to: NetAddress, id: string): void
}

/** A request to the fake server. */
interface WahaRequest {
  readonly path: string
  /** The parts of the path that the route names. */
  readonly parts: readonly string[]
  readonly query: URLSearchParams
  readonly body: never
  readonly echo: Echo
}

export type Route = readonly [method: string, path: RegExp, run: (request: WahaRequest) => Promise<unknown> | unknown]

/** The routes of WAHA that the driver uses. */
export function wahaRoutes(ctx: RouteContext): readonly Route[] {
  return [...sessionRoutes(ctx), ...authRoutes(ctx), ...messageRoutes(ctx), ...readRoutes(ctx)]
}

function sessionRoutes({ network, sessions, environment, began }: RouteContext): Route[] {
  async function act(name: string, run: (session: FakeSession) => Promise<unknown>): Promise<object> {
    const session = sessions.require(name)
    await reached(run(session))
    return sessions.describe(session)
  }
  const begin = (session: FakeSession, verb: 'start' | 'restart') => {
    const number = sessions.toNumber(session)
    // A session that failed here is running at the network, which shows its QR already.
    const isFailed = session.shown === 'FAILED'
    session.shown = null
    if (verb === 'restart') restarted(session)
    return isFailed ? network.restart(number) : network[verb](number)
  }
  /** What was wrong with the engine of a session ends with it. */
  const restarted = (session: FakeSession) => {
    session.isJammed = false
    began(session)
  }
  return [
    ['GET', /^\/ping$/, () => ({ message: 'pong' })],
    ['GET', /^\/api\/server\/version$/, () => environment.described],
    ['GET', /^\/api\/server\/environment$/, () => environment.variables],
    ['GET', /^\/api\/sessions$/, () => Promise.all(sessions.all().map((session) => sessions.describe(session)))],
    [
      'POST',
      /^\/api\/sessions$/,
      async ({ body }) => {
        const { name, config = {}, start = true } = body as { name: string; config?: SessionConfig; start?: boolean }
        if (!environment.hasNamedSessions && name !== 'default') throw onlyDefault(name)
        if (sessions.find(name)) {
          const message = `Session '${name}' already exists. Use PUT to update it.`
          throw new WahaFailure(422, { message, error: 'Unprocessable Entity', statusCode: 422 })
        }
        const session = sessions.create(name, config)
        await reached(network.ensure(sessions.toNumber(session)))
        if (start) await network.start(sessions.toNumber(session))
        return sessions.describe(session)
      },
    ],
    ['GET', /^\/api\/sessions\/([^/]+)$/, ({ parts: [name = ''] }) => sessions.describe(sessions.require(name))],
    [
      'PUT',
      /^\/api\/sessions\/([^/]+)$/,
      ({ parts: [name = ''], body }) => {
        const session = sessions.require(name)
        session.config = (body as { config?: SessionConfig }).config ?? {}
        // WAHA stops and starts a session to change it.
        restarted(session)
        return sessions.describe(session)
      },
    ],
    [
      'DELETE',
      /^\/api\/sessions\/([^/]+)$/,
      async ({ parts: [name = ''] }) => {
        const session = sessions.find(name)
        if (session) await reached(network.remove(sessions.toNumber(session)))
        sessions.delete(name)
        return {}
      },
    ],
    [
      'GET',
      /^\/api\/sessions\/([^/]+)\/timelock$/,
      async ({ parts: [name = ''] }) =>
        (await sessions.expecting(name, 'WORKING')).limits.reachoutTimelock ?? {
          enforcementType: 'DEFAULT',
          isActive: false,
          timeEnforcementEnds: null,
        },
    ],
    [
      'GET',
      /^\/api\/sessions\/([^/]+)\/capping$/,
      async ({ parts: [name = ''] }) =>
        (await sessions.expecting(name, 'WORKING')).limits.messageCapping ?? {
          cappingStatus: 'NONE',
          totalQuota: -1,
          usedQuota: 0,
          cycleStart: null,
          cycleEnd: null,
          mvStatus: null,
          oteStatus: null,
        },
    ],
    [
      'POST',
      /^\/api\/sessions\/([^/]+)\/(start|restart)$/,
      ({ parts: [name = '', verb] }) => act(name, (session) => begin(session, verb as 'start' | 'restart')),
    ],
    [
      'POST',
      /^\/api\/sessions\/([^/]+)\/stop$/,
      ({ parts: [name = ''] }) =>
        act(name, (session) => {
          session.shown = null
          return network.stop(sessions.toNumber(session))
        }),
    ],
    [
      'POST',
      /^\/api\/sessions\/([^/]+)\/logout$/,
      ({ parts: [name = ''] }) =>
        act(name, async (session) => {
          session.isLoggingOut = session.shown === null
          const { status } = await network.logout(sessions.toNumber(session))
          if (status === 'STOPPED') session.isLoggingOut = false
        }),
    ],
  ]
}

function authRoutes({ network, sessions, emit }: RouteContext): Route[] {
  const show = (session: FakeSession, status: FakeSession['shown'], data: object | null = null) => {
    session.shown = status
    emit(session, 'session.status', { name: session.name, status: status ?? 'STARTING', statuses: [], data })
  }
  return [
    [
      'GET',
      /^\/api\/([^/]+)\/auth\/qr$/,
      async ({ parts: [name = ''] }) => {
        const session = await sessions.expecting(name, 'SCAN_QR_CODE')
        const qr = await reached(network.qr(sessions.toNumber(session)))
        return { value: qr?.text ?? '' }
      },
    ],
    [
      'POST',
      /^\/api\/([^/]+)\/auth\/request-code$/,
      async ({ parts: [name = ''], body, echo }) => {
        const session = await sessions.expecting(name, 'SCAN_QR_CODE')
        const { phoneNumber } = body as { phoneNumber: string }
        const code = await network.pairingCode(sessions.toNumber(session), phoneNumber).catch((error: unknown) => {
          throw error instanceof GatewayError ? fromNetwork(error, { request: echo, engine: 'GOWS', to: '' }) : error
        })
        return { code: `${code.slice(0, 4)}-${code.slice(4)}` }
      },
    ],
    [
      'GET',
      /^\/api\/([^/]+)\/auth\/passkey\/challenge$/,
      ({ parts: [name = ''] }) => {
        if (sessions.require(name).shown !== 'PASSKEY_REQUIRED') throw nothingPending('passkey challenge')
        return passkeyChallenge
      },
    ],
    [
      'GET',
      /^\/api\/([^/]+)\/auth\/passkey\/confirmation$/,
      ({ parts: [name = ''] }) => {
        if (sessions.require(name).shown !== 'PASSKEY_CONFIRMATION_REQUIRED') throw nothingPending('confirmation')
        return { code: 'QZ4X-81TB' }
      },
    ],
    [
      'POST',
      /^\/api\/([^/]+)\/auth\/passkey$/,
      async ({ parts: [name = ''] }) => {
        show(await sessions.expecting(name, 'PASSKEY_REQUIRED'), 'PASSKEY_CONFIRMATION_REQUIRED', { code: 'QZ4X-81TB' })
        return {}
      },
    ],
    [
      'POST',
      /^\/api\/([^/]+)\/auth\/passkey\/confirm$/,
      async ({ parts: [name = ''] }) => {
        const session = await sessions.expecting(name, 'PASSKEY_CONFIRMATION_REQUIRED')
        session.shown = null
        // The phone has confirmed: the link continues as with a scan.
        await network.pairingCode(sessions.toNumber(session), ownPhone(name))
        return {}
      },
    ],
  ]
}

const passkeyChallenge = {
  challenge: 'Y2hhbGxlbmdl',
  timeout: 60_000,
  rpId: 'web.whatsapp.com',
  allowCredentials: [{ id: 'AX8bTgH2', type: 'public-key', transports: ['internal', 'hybrid'] }],
  userVerification: 'required',
}

/** A phone for a session that was linked with a passkey, outside of the special ones. */
function ownPhone(name: string): string {
  return `1303555${1000 + (Number.parseInt(name.slice(0, 6), 16) % 9000)}`
}
