import { randomBytes } from 'node:crypto'
import type { Gateway } from '@msgctl/network/gateway'
import { openSecrets } from '@msgctl/network/secrets'
import { pino } from 'pino'
import { hashCredential } from '#api/access/authenticate.ts'
import type { DrainableApp } from '#api/http/listen.ts'
import type { HandlerTable } from '#api/http/mount.ts'
import type { Media } from '#api/media/media.ts'
import { type Clock, startClock } from '#platform/db/clock.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { localWake, signalThrough } from '#platform/db/wake.ts'
import { localMailer } from '#platform/mail/local.ts'
import { openMetrics } from '#platform/metrics/metrics.ts'
import { type AppOptions, createApp, type HttpServer, listen } from '#process/app.ts'
import { readConfig } from '#process/config.ts'
import type { Services } from '#services.ts'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { testDatabase } from '#testing/database.ts'

/** What an edge of a test can be started with. */
export interface EdgeOptions extends AppOptions {
  readonly env?: Record<string, string>
  /** Services that replace the usual ones. */
  readonly services?: Partial<Services>
  /** Receives every line of the log. */
  readonly onLog?: (line: string) => void
}

/** The edge alone, over a database of its own, with handlers of the test. */
export interface Edge {
  readonly db: Db
  readonly clock: Clock
  readonly server: HttpServer
  readonly app: DrainableApp
  /** Calls a path under /api/v1, as JSON unless `init` says otherwise. */
  call(method: string, path: string, init?: CallInit): Promise<Answer>
}

interface CallInit {
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
  /** Sent as JSON, or as it is when it is text or bytes. */
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  readonly body: any
}

/** Starts the edge for one test file; it is stopped after its tests. */
export async function startEdge(handlers: HandlerTable, options: EdgeOptions = {}): Promise<Edge> {
  const { db } = await testDatabase()
  const clock = await startClock(db, { followMs: 60_000 })
  const services: Services = {
    db,
    clock,
    wake: localWake(),
    // The edge never calls the network; a handler of a test that did would fail.
    gateway: {} as Gateway,
    media: {} as Media,
    mailer: localMailer(),
    secrets: openSecrets(undefined),
    log: options.onLog ? pino({ level: 'info' }, { write: options.onLog }) : pino({ level: 'silent' }),
    metrics: openMetrics(),
    config: readConfig({ PORT: '0', ...options.env }),
    payments: null,
    ...options.services,
  }
  signalThrough(services.db, services.wake)
  const app = createApp(services, handlers, { strict: true, ...options })
  const server = await listen(app, services.config)
  cleanUpAfterFile(async () => {
    await server.stop()
    clock.stop()
  })
  return { db, clock, server, app, call: (method, path, init) => call(`${server.address}/api/v1${path}`, method, init) }
}

async function call(url: string, method: string, { key, headers, body }: CallInit = {}): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(url, {
    method,
    headers: {
      ...(key && { 'X-API-Key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: json && text !== '' ? JSON.parse(text) : text }
}

/** An organization with an account key; its products are granted by default. */
export interface Tenant {
  readonly organizationId: string
  readonly key: string
}

/** A product of a tenant: granted and active unless it says otherwise. */
export interface TenantProduct {
  readonly product: string
  readonly granted?: boolean
  readonly paused?: boolean
}

/** Makes an organization with these products and an account key; its trial has the given days left. */
export async function makeTenant(
  db: Db,
  products: readonly (string | TenantProduct)[] = ['notify', 'developer', 'connect', 'assistant', 'shop'],
  trialDaysLeft = 7,
): Promise<Tenant> {
  const organizationId = newId()
  await rows(
    db,
    `insert into organizations (id, name, trial_ends_at, created_at)
     values (:organizationId, 'Test', service_now() + :trialDaysLeft * interval '1 day', service_now())`,
    { organizationId, trialDaysLeft },
  )
  for (const entry of products) {
    const { product, granted = true, paused = false } = typeof entry === 'string' ? { product: entry } : entry
    await rows(
      db,
      `insert into organization_products (organization_id, product, granted_at, paused_at)
       select :organizationId, :product, case when :granted::bool then service_now() end, case
         when :paused::bool then service_now() end`,
      { organizationId, product, granted, paused },
    )
  }
  return { organizationId, key: await makeKey(db, organizationId, null) }
}

/** Makes an account key, or with `containerId` a key of that number, and returns it. */
export async function makeKey(db: Db, organizationId: string, containerId: string | null): Promise<string> {
  const key = `${containerId === null ? 'msk_' : 'msn_'}${randomBytes(32).toString('hex')}`
  await rows(
    db,
    `insert into api_keys (key_hash, organization_id, container_id, preview, created_at)
     values (:keyHash, :organizationId, :containerId, 'msk_000000...', service_now())`,
    { keyHash: hashCredential(key), organizationId, containerId },
  )
  return key
}

/** Makes a person with a role in the organization, signed in for 30 days, and returns the token. */
export async function makeToken(db: Db, organizationId: string, role: 'owner' | 'admin' | 'member'): Promise<string> {
  const userId = newId()
  const token = randomBytes(32).toString('hex')
  await rows(
    db,
    `insert into users (id, name, email, password_hash, created_at)
     values (:userId, 'Test', :email, '-', service_now())`,
    { userId, email: `${userId}@example.org` },
  )
  await rows(
    db,
    `insert into members (organization_id, user_id, role, created_at)
     values (:organizationId, :userId, :role, service_now())`,
    { organizationId, userId, role },
  )
  await rows(
    db,
    `insert into user_tokens (id, token_hash, user_id, organization_id, created_at, last_used_at, expires_at)
     values (gen_random_uuid(), :tokenHash, :userId, :organizationId, service_now(), service_now(),
         service_now() + interval '30 d')`,
    { tokenHash: hashCredential(token), userId, organizationId },
  )
  return token
}
