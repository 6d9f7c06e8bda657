import { describe, expect, it } from 'vitest'
import { type Db, rows } from '#platform/db/db.ts'
import { apiError, SendError } from '#platform/errors.ts'
import { makeTenant, startEdge } from '#testing/features/http-edge.ts'

const numberId = '018f3b5e-0000-7000-8000-000000000001'
const place = { phone: '+12025550100', latitude: 1, longitude: 2 }

/** The outcome of each message on the network: undefined while it is unknown. */
const ends = new Map<string, 'sent' | 'failed'>()
let end: 'sent' | 'failed' | undefined = 'sent'
let refuse: (() => Error) | undefined
let hold: Promise<void> | undefined
let entered = () => {}

async function countUse(trx: Db, organizationId: string): Promise<void> {
  await rows(
    trx,
    `insert into trial_usage values (:organizationId, '2026-01-01', 1)
     on conflict (organization_id, day) do update set used = trial_usage.used + 1`,
    { organizationId },
  )
}

/** Returns the response of a direct send, derived from the message alone. */
function answerOf(messageId: string) {
  const now = ends.get(messageId)
  if (now === 'sent') return { messageId, gatewayMessageId: `net ${messageId}`, containerId: numberId }
  if (now === 'failed') throw apiError('GATEWAY_ERROR', 'refused', { messageId, outcome: 'not_sent' })
  throw apiError('CONFLICT', 'running', { reason: 'idempotency_in_progress', retryAfterSeconds: 1 })
}

const edge = await startEdge({
  alert: {
    sendLocation: async ({ caller, idempotency }) => {
      const earlier = await idempotency.findEarlier()
      if (earlier !== null) return answerOf(earlier)
      const messageId = crypto.randomUUID()
      const begun = await idempotency.begin(messageId, async (trx) => {
        await countUse(trx, caller.organizationId)
        entered()
        await hold
        if (refuse) throw refuse()
      })
      if (!begun) return answerOf(idempotency.earlierMessageId ?? '')
      if (end) ends.set(messageId, end)
      else throw apiError('UPSTREAM_TIMEOUT', 'late', { messageId, outcome: 'unknown' })
      return answerOf(messageId)
    },
  },
})

async function uses(organizationId: string): Promise<number> {
  const [row] = await rows<{ used: number }>(
    edge.db,
    'select coalesce(sum(used), 0)::int as used from trial_usage where organization_id = :organizationId',
    { organizationId },
  )
  return row?.used ?? 0
}

function send(key: string, idempotencyKey?: string, body: object = place) {
  return edge.call('POST', '/alert/send-location', {
    key,
    body,
    ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
  })
}

describe('an Idempotency-Key of a send that calls the network before it responds', () => {
  it('responds to a repeat from its message, with the replay header', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    const first = await send(key, 'one')
    const second = await send(key, 'one')
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await uses(organizationId)).toBe(1)
  })

  it('responds with the failure again, with a request id of its own', async () => {
    end = 'failed'
    const { key, organizationId } = await makeTenant(edge.db)
    const first = await send(key, 'fails')
    end = 'sent'
    const second = await send(key, 'fails')
    expect([first.status, second.status]).toEqual([502, 502])
    expect({ ...second.body.error, requestId: '' }).toEqual({ ...first.body.error, requestId: '' })
    expect(second.body.error.requestId).not.toBe(first.body.error.requestId)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await uses(organizationId)).toBe(1)
  })

  it('responds from the message at every repeat: in_progress, and then the first response', async () => {
    end = undefined
    const { key, organizationId } = await makeTenant(edge.db)
    const first = await send(key, 'late')
    end = 'sent'
    expect(first.status).toBe(504)
    const second = await send(key, 'late')
    expect([second.status, second.body.error.details]).toEqual([
      409,
      { reason: 'idempotency_in_progress', retryAfterSeconds: 1 },
    ])
    expect(second.headers.get('retry-after')).toBe('1')
    expect(second.headers.get('idempotency-replayed')).toBeNull()
    ends.set(first.body.error.details.messageId, 'sent')
    const third = await send(key, 'late')
    expect([third.status, third.body.messageId]).toEqual([201, first.body.error.details.messageId])
    expect(await uses(organizationId)).toBe(1)
  })

  it('refuses another body', async () => {
    const { key } = await makeTenant(edge.db)
    await send(key, 'same')
    const other = await send(key, 'same', { ...place, latitude: 5 })
    expect([other.status, other.body.error.details]).toEqual([409, { reason: 'idempotency_mismatch' }])
  })

  it('lets one of two twins through, and stores nothing for the other', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    let release = () => {}
    hold = new Promise((resolve) => {
      release = resolve
    })
    const inside = new Promise<void>((resolve) => {
      entered = resolve
    })
    const first = send(key, 'twins')
    await inside
    const second = await send(key, 'twins')
    hold = undefined
    release()
    expect((await first).status).toBe(201)
    expect([second.status, second.body.error.details.reason]).toEqual([409, 'idempotency_in_progress'])
    expect((await send(key, 'twins')).body).toEqual((await first).body)
    expect(await uses(organizationId)).toBe(1)
  })

  it('keeps nothing of a request that was refused before its message was stored', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    refuse = () => apiError('NO_SESSION_CONFIGURED', 'gone')
    expect((await send(key, 'again')).status).toBe(400)
    refuse = undefined
    expect((await send(key, 'again')).status).toBe(201)
    expect(await uses(organizationId)).toBe(1)
  })

  it('is no condition: without it every request sends', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    await send(key)
    await send(key)
    expect(await uses(organizationId)).toBe(2)
  })
})

describe('a fault of ours in the middle of a send', () => {
  const messageId = '018f3b5e-0000-7000-8000-000000000002'
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

  it.each([
    ['before the network was called', { outcome: 'not_sent' }, away, 503, 'SERVICE_BUSY'],
    ['before the network was called', { outcome: 'not_sent' }, new Error('odd'), 500, 'INTERNAL_ERROR'],
    ['after the network was called', { messageId, outcome: 'unknown' }, away, 500, 'INTERNAL_ERROR'],
  ] as const)('%s says what is known of the message', async (_when, known, cause, status, code) => {
    const { key } = await makeTenant(edge.db)
    refuse = () => new SendError(cause, known)
    const answer = await send(key, 'fault')
    refuse = undefined
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
    expect(answer.body.error.details).toMatchObject(known)
  })
})
