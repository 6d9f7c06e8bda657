import { randomUUID } from 'node:crypto'
import { limits } from '@msgctl/contract/limits'
import { atOnceRoutes } from './at-once.ts'
import { campaignRoutes } from './campaigns.ts'
import { connectionRoutes } from './connections.ts'
import { inboxRoutes } from './inbox.ts'
import { listRoutes } from './lists.ts'
import { numberRoutes } from './numbers.ts'
import { otpRoutes } from './otp.ts'
import { reminderRoutes } from './reminders.ts'
import { type Answer, type Answerer, type FakeServer, fakeServer, type Routes, refusal, type Seen } from './server.ts'
import { simRoutes } from './sim.ts'
import { webhookRoutes } from './webhook.ts'

/** A service with one organization, as the quick start makes it, that keeps everything in memory. */
export interface FakeService extends FakeServer {
  readonly baseUrl: string
  readonly state: State
}

/** What the fake remembers. */
export interface State {
  apiKey: string
  readonly token: string
  readonly owner: { readonly email: string; readonly password: string }
  readonly numbers: FakeNumber[]
  readonly messages: FakeMessage[]
  readonly events: FakeEvent[]
  readonly deliveries: FakeDelivery[]
  webhookUrl: string | null
  signingSecret: string | null
  /** What is left of the limit on changes. */
  changesLeft: number
  now: number
}

export interface FakeNumber {
  id: string
  label: string
  phoneNumber: string | null
  status: string
  isDefault: boolean
  hasApiKey: boolean
}

interface FakeDelivery {
  readonly eventId: string
  readonly status: string
  readonly createdAt: string
  readonly [field: string]: unknown
}

interface FakeEvent {
  readonly id: string
  readonly event: string
  readonly data: object
  readonly timestamp: string
}

export interface FakeMessage {
  readonly id: string
  readonly recipient: string
  status: string
  // biome-ignore lint/suspicious/noExplicitAny: the fields that only travel through.
  readonly [field: string]: any
}

const demoNumber = '0190c1d2-0000-7000-8000-000000000001'
const instant = '2026-11-01T08:00:00.000Z'

/** How far a message to each magic phone comes; it moves one step with every look at it. */
const ways: Readonly<Record<string, readonly string[]>> = {
  '12025550110': ['queued', 'sent', 'failed'],
  '12025550120': ['queued', 'sent'],
}
const usualWay = ['queued', 'sending', 'sent', 'delivered', 'read']

function step(state: State, message: FakeMessage): void {
  const before = message.status
  const way = ways[message.recipient] ?? usualWay
  message.status = way[way.indexOf(message.status) + 1] ?? message.status
  if (message.status === 'failed')
    Object.assign(message, { error: 'The network refused it.', errorCode: 'GATEWAY_ERROR' })
  if (message.status === before || !['delivered', 'read', 'failed'].includes(message.status)) return
  const data = { messageId: message.id, recipient: message.recipient, status: message.status }
  state.events.push({ id: randomUUID(), event: `message.${message.status}`, data, timestamp: instant })
}

function newMessage(phone: string, body: Record<string, unknown>): FakeMessage {
  return {
    id: randomUUID(),
    type: 'alert',
    recipient: phone,
    content: body.message,
    status: 'queued',
    priority: body.priority ?? 'normal',
    error: null,
    errorCode: null,
    containerId: body.containerId ?? demoNumber,
    clientReference: body.clientReference ?? null,
    attempts: 1,
    createdAt: instant,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
  }
}

function messageRoutes(state: State): Routes {
  return {
    'POST /alert/send': ({ body }) => {
      const typed = String(body.phone ?? '')
      const phone = typed.endsWith('@lid') ? typed : typed.replace(/\D/g, '')
      if (phone === '12025550101') return refusal(400, 'NUMBER_NOT_ON_NETWORK', 'The recipient is not on the network.')
      if (phone === '12025550112')
        return refusal(504, 'UPSTREAM_TIMEOUT', 'The network did not answer.', { outcome: 'unknown' })
      if (phone.length < 7) {
        const issues = [{ field: 'phone', code: 'invalid_phone', message: 'must be an international number' }]
        return {
          status: 400,
          body: { success: false, error: { code: 'VALIDATION_ERROR', message: 'phone is not valid.', issues } },
        }
      }
      const message = newMessage(phone, body)
      state.messages.unshift(message)
      const { id, status, priority, containerId } = message
      return { status: 201, body: { success: true, messageId: id, status, priority, containerId } }
    },
    'GET /messages': ({ query }) => {
      const limit = Number(query.limit ?? 50)
      const from = query.cursor ? Number(query.cursor) : (Number(query.page ?? 1) - 1) * limit
      const found = state.messages.filter(
        ({ type, status, content }) =>
          (query.status === undefined || status === query.status) &&
          (query.type === undefined || type === query.type) &&
          String(content).includes(query.search ?? ''),
      )
      const messages = found.slice(from, from + limit)
      const nextCursor = from + limit < found.length ? String(from + limit) : null
      return { body: { success: true, total: found.length, page: 1, limit, messages, nextCursor } }
    },
    'GET /stats': () => {
      const { length } = state.messages
      const counts = { totalMessages: length, sent: 0, delivered: 0, failed: 0, alerts: length, bulk: 0, otp: 0 }
      return { body: { success: true, ...counts, last24h: length, last7d: length } }
    },
    'GET /messages/:id': (_seen, id) => {
      const message = state.messages.find((each) => each.id === id)
      if (!message) return refusal(404, 'MESSAGE_NOT_FOUND', 'There is no such message.')
      step(state, message)
      return { body: { success: true, message, timeline: [{ at: instant, step: 'queued' }] } }
    },
  }
}

function eventRoutes(state: State): Routes {
  const wanted = ({ query }: Seen) => {
    const from = state.events.findIndex(({ id }) => id === query.after) + 1
    const types = query.types?.split(',')
    return state.events.slice(from).filter(({ event }) => types?.includes(event) ?? true)
  }
  return {
    'GET /events': (seen) => ({ body: { success: true, events: wanted(seen), nextCursor: 'end', hasMore: false } }),
    'GET /events/stream': (seen) => ({
      events: wanted(seen).map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`),
    }),
    'POST /events/:id/replay': (_seen, id) => ({ status: 202, body: { success: true, eventId: id } }),
  }
}

function accountRoutes(state: State): Routes {
  const me = {
    success: true,
    id: randomUUID(),
    name: 'Ada',
    email: state.owner.email,
    memberRole: 'admin',
    organization: { id: randomUUID(), name: 'Demo', requireTwoFactor: false },
    products: ['notify', 'developer'],
    features: ['send', 'batch'],
    maxNumbers: 3,
    webhookUrl: null,
    hasApiKey: true,
    trial: null,
  }
  return {
    'GET /me': () => ({ body: { ...me, apiKeyPreview: `${state.apiKey.slice(0, 10)}...` } }),
    'GET /me/limits': () => ({
      body: {
        success: true,
        changes: {
          limitPerMinute: limits.changesPerMinute,
          remaining: state.changesLeft,
          retryAfterSeconds: 0,
          resetsAt: instant,
        },
        texts: { perNumberPerMinute: limits.textsPerNumberPerMinute },
        campaigns: limits.campaign,
        otp: { perOrganizationPerMinute: limits.otp.perOrganizationPerMinute },
        trial: null,
      },
    }),
    'POST /me/generate-key': () => refusal(409, 'CONFLICT', 'There is an account key already.'),
    'POST /me/regenerate-key': () => {
      state.apiKey = `msk_${randomUUID().replaceAll('-', '').repeat(2)}`
      return { body: { success: true, apiKey: state.apiKey, warning: 'Store this key now.' } }
    },
    'POST /auth/sign-out': () => ({ body: { success: true } }),
  }
}

const forPersons = [
  'POST /me/generate-key',
  'POST /session',
  'PUT /session/send-group',
  'PUT /session/:id',
  'DELETE /session/:id',
]

/** Behind the check of the credential, which the real edge makes before anything else. */
function guarded(state: State, route: string, answer: Answerer): Answerer {
  return (seen, ...parameters): Answer => {
    if (seen.method !== 'GET') state.changesLeft -= 1
    return allowed(seen, ...parameters)
  }
  function allowed(seen: Seen, ...parameters: string[]): Answer {
    const person = seen.headers.authorization === `Bearer ${state.token}`
    const key = seen.headers['x-api-key'] === state.apiKey
    if (!person && !key) return refusal(401, 'AUTH_ERROR', 'The key is not valid.', { reason: 'invalid_api_key' })
    if (!person && forPersons.includes(route)) return refusal(403, 'USER_REQUIRED', 'This needs a signed-in person.')
    return answer(seen, ...parameters)
  }
}

function signIn(state: State): Answerer {
  return ({ body }) => {
    const { email, password } = state.owner
    if (body.email !== email || body.password !== password)
      return refusal(401, 'AUTH_ERROR', 'Wrong e-mail or password.')
    return { body: { success: true, token: state.token, expiresAt: '2026-12-01T08:00:00.000Z', user: { email } } }
  }
}

function newState(): State {
  return {
    apiKey: `msk_${'a1'.repeat(32)}`,
    token: 'token-of-ada',
    owner: { email: 'ada@example.com', password: 'correct horse' },
    numbers: [
      {
        id: demoNumber,
        label: 'Demo',
        phoneNumber: '12025550199',
        status: 'WORKING',
        isDefault: true,
        hasApiKey: false,
      },
    ],
    messages: [],
    events: [],
    deliveries: [],
    webhookUrl: null,
    signingSecret: null,
    changesLeft: 300,
    now: Date.parse(instant),
  }
}

/** Starts the fake service. */
export async function fakeService(): Promise<FakeService> {
  const state = newState()
  const behindKey = {
    ...messageRoutes(state),
    ...listRoutes(demoNumber),
    ...reminderRoutes(),
    ...campaignRoutes(),
    ...atOnceRoutes(state.messages, demoNumber),
    ...otpRoutes(),
    ...eventRoutes(state),
    ...accountRoutes(state),
    ...connectionRoutes(state),
    ...numberRoutes(state),
    ...inboxRoutes(state.messages),
    ...webhookRoutes(state),
  }
  const routes: Record<string, Answerer> = { ...simRoutes(state), 'POST /api/v1/auth/sign-in': signIn(state) }
  for (const [route, answer] of Object.entries(behindKey)) {
    routes[route.replace(' ', ' /api/v1')] = guarded(state, route, answer)
  }
  const server = await fakeServer(routes)
  return { ...server, baseUrl: `${server.origin}/api/v1`, state }
}
