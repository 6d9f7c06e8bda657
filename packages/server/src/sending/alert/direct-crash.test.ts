import type { Gateway } from '@msgctl/network/gateway'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Db, rows } from '#platform/db/db.ts'
import { createApp, listen } from '#process/app.ts'
import { handlers } from '#process/handlers.ts'
import { startServices } from '#process/start-services.ts'
import { reapMessages } from '#sending/messages/queue/sweep.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)

type Send = Gateway['send']

/**
 * A second process at the same database, whose calls of the network go as `wrap` wants. It never ends a request by
 * itself that `wrap` holds: to its callers, and to the rest of the service, it is a process that died in the middle.
 */
async function dyingServer(wrap: (send: Send, db: Db) => Send) {
  const services = await startServices(server.services.config, server.databaseUrl)
  const { gateway } = services
  const app = createApp({ ...services, gateway: { ...gateway, send: wrap(gateway.send, services.db) } }, handlers, {
    strict: true,
  })
  const http = await listen(app, services.config)
  onTestFinished(async () => {
    await http.stop()
    await services.stop()
  })
  return http.address
}

async function post(address: string, key: string, signal?: AbortSignal) {
  const response = await fetch(`${address}/api/v1/alert/send-location`, {
    method: 'POST',
    headers: { 'x-api-key': organization.apiKey, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ phone: '12025550121', latitude: 1, longitude: 2 }),
    ...(signal ? { signal } : {}),
  })
  return { status: response.status, body: (await response.json()) as Answer }
}

interface Answer {
  readonly messageId?: string
  readonly error?: { readonly code: string; readonly details: { readonly reason?: string; readonly outcome?: string } }
}

/** Sends a request to a process that dies while it runs; resolves when `reached` does, without a response. */
async function cutOff(address: string, key: string, reached: Promise<void>): Promise<void> {
  const caller = new AbortController()
  const request = post(address, key, caller.signal).catch(() => undefined)
  await reached
  caller.abort()
  await request
}

async function messageOf(key: string) {
  const [found] = await rows<{ id: string; status: string; attempts: number; errorCode: string | null }>(
    server.db,
    `select m.id, m.status, m.attempts, m.error_code
       from idempotency_keys k join messages m on m.id = k.message_id where k.key = :key`,
    { key },
  )
  return found
}

async function gotten(): Promise<number> {
  return (await transcriptOf(server, containerId)).length
}

const never = new Promise<never>(() => undefined)

function signal() {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { give, given }
}

describe('a process that dies in the middle of a direct send', () => {
  it('between the row and the call: the message never goes out, and fails after ten minutes for good', async () => {
    const before = await gotten()
    const called = signal()
    const address = await dyingServer(() => () => {
      called.give()
      return never
    })
    await cutOff(address, 'before-call', called.given)
    expect(await messageOf('before-call')).toMatchObject({ status: 'sending', attempts: 1 })
    expect((await post(server.address, 'before-call')).body.error?.details.reason).toBe('idempotency_in_progress')
    await server.advance(61)
    await reapMessages(server.services)
    expect(await messageOf('before-call')).toMatchObject({ status: 'sending' })
    await server.advance(601)
    const failed = await eventually(
      () => messageOf('before-call'),
      (one) => one?.status === 'failed',
    )
    expect(failed).toMatchObject({ attempts: 1, errorCode: 'UPSTREAM_TIMEOUT' })
    const repeat = await post(server.address, 'before-call')
    expect([repeat.status, repeat.body.error?.code, repeat.body.error?.details.outcome]).toEqual([
      504,
      'UPSTREAM_TIMEOUT',
      'unknown',
    ])
    expect(await gotten()).toBe(before)
  })

  it('between the call and its record: receipts settle it, and a repeat gets the response that was lost', async () => {
    const before = await gotten()
    const taken = signal()
    const address = await dyingServer((send) => async (...call) => {
      await send(...call)
      taken.give()
      return never
    })
    await cutOff(address, 'before-record', taken.given)
    expect(await gotten()).toBe(before + 1)
    await server.advance(61)
    await reapMessages(server.services)
    const message = await eventually(
      () => messageOf('before-record'),
      (one) => one?.status === 'delivered',
    )
    const repeat = await post(server.address, 'before-record')
    expect([repeat.status, repeat.body.messageId]).toEqual([201, message?.id])
    expect(await gotten()).toBe(before + 1)
  })

  it('or only loses its database then: the response reports it, and the outcome is settled later', async () => {
    const before = await gotten()
    const address = await dyingServer((send, db) => async (...call) => {
      const receipt = await send(...call)
      await db.destroy()
      return receipt
    })
    const answer = await post(address, 'no-record')
    expect([answer.status, answer.body.error?.code]).toEqual([500, 'INTERNAL_ERROR'])
    const message = await messageOf('no-record')
    expect(answer.body.error?.details).toEqual({ messageId: message?.id, outcome: 'unknown' })
    await server.advance(61)
    await reapMessages(server.services)
    await eventually(
      () => messageOf('no-record'),
      (one) => one?.status === 'delivered',
    )
    expect((await post(server.address, 'no-record')).status).toBe(201)
    expect(await gotten()).toBe(before + 1)
  })

  it('leaves nothing to the queue: no worker ever takes it', async () => {
    const [counted] = await rows<{ count: number }>(
      server.db,
      `select count(*) as count from messages where direct and (status = 'queued' or attempts <> 1)`,
    )
    expect(counted?.count).toBe(0)
  })
})

describe('a driver that fails in an unknown way', () => {
  it('leaves the outcome unknown, for it may have gone out', async () => {
    const before = await gotten()
    const address = await dyingServer((send) => async (...call) => {
      await send(...call)
      throw new Error('a bug of the driver, which names the secret text')
    })
    const answer = await post(address, 'odd')
    expect([answer.status, answer.body.error?.code, answer.body.error?.details.outcome]).toEqual([
      504,
      'UPSTREAM_TIMEOUT',
      'unknown',
    ])
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    await eventually(
      () => messageOf('odd'),
      (one) => one?.status === 'delivered',
    )
    expect((await post(server.address, 'odd')).status).toBe(201)
    expect(await gotten()).toBe(before + 1)
  })
})
