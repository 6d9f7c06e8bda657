import { contract, type Route } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byOrganization, limitReached } from '#api/access/limit-key.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { makeKey, makeTenant, makeToken, startEdge } from '#testing/features/http-edge.ts'
import { hashBulkInput, hashInput } from './hash-input.ts'
import { readKey } from './idempotency.ts'
import { deleteExpiredKeys } from './key-store.ts'

const numberId = '018f3b5e-0000-7000-8000-000000000001'
const text = { phone: '+12025550100', message: 'hi' }

let hold: Promise<void> | undefined
let fail: (() => Error) | undefined
let entered = () => {}

/** Counts what was done in a table that the work's transaction writes. */
async function countUse(trx: Db, organizationId: string): Promise<void> {
  await rows(
    trx,
    `insert into trial_usage values (:organizationId, '2026-01-01', 1)
     on conflict (organization_id, day) do update set used = trial_usage.used + 1`,
    { organizationId },
  )
}

const edge = await startEdge({
  alert: {
    send: async ({ caller, body, idempotency }) => {
      return idempotency.transact(async (trx) => {
        await countUse(trx, caller.organizationId)
        entered()
        await hold
        if (fail) throw fail()
        return { messageId: crypto.randomUUID(), status: 'queued', priority: body.priority, containerId: numberId }
      })
    },
  },
  contacts: { setOptOutWords: async ({ body }) => ({ words: body.words }) },
  campaigns: {
    pause: async ({ params }) => Promise.reject(apiError('NOT_FOUND', `There is no campaign ${params.id}.`)),
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

function send(key: string, idempotencyKey: string | undefined, body: object = text) {
  return edge.call('POST', '/alert/send', {
    key,
    body,
    ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
  })
}

describe('an Idempotency-Key', () => {
  it('gets the first response again, with a request id of its own and the work done once', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    const first = await send(key, 'order-1')
    const second = await send(key, 'order-1')
    expect(first.status).toBe(201)
    expect(first.headers.get('idempotency-key')).toBe('order-1')
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(second.status).toBe(201)
    // As text: the order of the fields is the same too.
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body))
    expect(second.headers.get('idempotency-key')).toBe('order-1')
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(await uses(organizationId)).toBe(1)
  })

  it('belongs to the meaning of the input, not to its spelling', async () => {
    const { key } = await makeTenant(edge.db)
    const first = await send(key, 'same')
    const again = await send(key, 'same', { message: 'hi', priority: 'normal', phone: '+1 (202) 555-0100', extra: 1 })
    expect(again.body).toEqual(first.body)
  })

  it('with another body is a CONFLICT', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    await send(key, 'k')
    const { status, body, headers } = await send(key, 'k', { ...text, message: 'other' })
    expect(status).toBe(409)
    expect(body.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'idempotency_mismatch' } })
    expect(headers.get('idempotency-key')).toBe('k')
    expect(await uses(organizationId)).toBe(1)
  })

  it('whose first request still runs is a CONFLICT that names when to retry', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    const inside = new Promise<void>((resolve) => {
      entered = resolve
    })
    let release = () => {}
    hold = new Promise((resolve) => {
      release = resolve
    })
    const first = send(key, 'slow')
    await inside
    const twin = await send(key, 'slow')
    release()
    hold = undefined
    expect(twin.status).toBe(409)
    expect(twin.headers.get('retry-after')).toBe('1')
    expect(twin.body.error.details).toEqual({ reason: 'idempotency_in_progress', retryAfterSeconds: 1 })
    expect((await first).status).toBe(201)
    expect(await uses(organizationId)).toBe(1)
  })

  it('does its work once however many send it at once', async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(key, 'race')))
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.messageId))
    expect(ids.size).toBe(1)
    for (const { status, body } of answers) {
      if (status !== 201) expect(body.error.details.reason).toBe('idempotency_in_progress')
    }
    expect(await uses(organizationId)).toBe(1)
  })

  it.each([
    ['a refusal', () => apiError('NO_SESSION_CONFIGURED', 'No number is connected.'), 400],
    ['a passing failure', () => apiError('SERVICE_BUSY', 'Busy.', { retryAfterSeconds: 2 }), 503],
    ['a limit', () => limitReached(byOrganization('messages on trial', 'x'), 'Enough.', trial), 429],
    ['a fault of ours', () => new Error('broken'), 500],
  ])('keeps nothing of %s, so that the next try runs', async (_what, error, status) => {
    const { key, organizationId } = await makeTenant(edge.db)
    fail = error
    expect((await send(key, 'again')).status).toBe(status)
    fail = undefined
    const retried = await send(key, 'again')
    expect(retried.status).toBe(201)
    expect(retried.headers.get('idempotency-replayed')).toBeNull()
    expect(await uses(organizationId)).toBe(1)
  })

  it('expires after 24 hours', async () => {
    const { key } = await makeTenant(edge.db)
    const first = await send(key, 'old')
    await edge.clock.advance(24 * 3600 - 60)
    expect((await send(key, 'old')).body).toEqual(first.body)
    await edge.clock.advance(60)
    const later = await send(key, 'old', { ...text, message: 'another' })
    expect(later.status).toBe(201)
    expect(later.body.messageId).not.toBe(first.body.messageId)
  })

  it('is deleted once it has expired', async () => {
    const { key } = await makeTenant(edge.db)
    await send(key, 'swept')
    await edge.clock.advance(24 * 3600)
    await send(key, 'kept')
    expect(await deleteExpiredKeys(edge.db)).toBeGreaterThan(0)
    expect(await rows(edge.db, 'select key from idempotency_keys')).toEqual([{ key: 'kept' }])
  })

  it("is apart for the account, each number's key, each person and each organization", async () => {
    const { key, organizationId } = await makeTenant(edge.db)
    const other = await makeTenant(edge.db)
    const numberKeys = [
      await makeKey(edge.db, organizationId, crypto.randomUUID()),
      await makeKey(edge.db, organizationId, crypto.randomUUID()),
    ]
    const token = await makeToken(edge.db, organizationId, 'owner')
    const byUser = await edge.call('POST', '/alert/send', {
      body: text,
      headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': 'shared' },
    })
    const answers = [
      byUser,
      ...(await Promise.all([key, other.key, ...numberKeys].map((each) => send(each, 'shared')))),
    ]
    expect(new Set(answers.map(({ body }) => body.messageId)).size).toBe(5)
  })

  it('is ignored where a route takes none', async () => {
    const { key } = await makeTenant(edge.db)
    const put = (words: string[]) =>
      edge.call('PUT', '/contacts/opt-out-words', { key, body: { words }, headers: { 'Idempotency-Key': 'x y z' } })
    expect((await put(['A'])).body.words).toEqual(['A'])
    const second = await put(['B'])
    expect(second.body.words).toEqual(['B'])
    expect(second.headers.get('idempotency-key')).toBeNull()
  })

  it('of a bad form is reported with the other faults', async () => {
    const { key } = await makeTenant(edge.db)
    const { status, body, headers } = await send(key, 'not a key', { phone: '+12025550100' })
    expect(status).toBe(400)
    expect(body.error.code).toBe('VALIDATION_ERROR')
    expect(Object.keys(body.error.details)).toEqual(['message', 'Idempotency-Key'])
    expect(headers.get('idempotency-key')).toBeNull()
  })

  it('is echoed on refusals too', async () => {
    const { headers, status } = await send('nonsense', 'echo')
    expect(status).toBe(401)
    expect(headers.get('idempotency-key')).toBe('echo')
  })
})

const trial = { limit: 100, used: 100, requested: 1, retryAfterSeconds: 60, resetsAt: '2026-01-02T00:00:00Z' }

describe('the form of a key', () => {
  it.each([['a'], ['a'.repeat(255)], ['A-b_c.d:e9']])('takes %s', (key) => {
    expect(readKey(key)).toEqual({ key, faults: [] })
  })

  it.each([[''], ['a'.repeat(256)], ['a b'], ['ä'], ['a/b'], [['a', 'b']]])('refuses %s', (key) => {
    expect(readKey(key)).toMatchObject({ key: null, faults: [{ field: 'Idempotency-Key' }] })
  })
})

describe('the hash of an input', () => {
  it('is the same for the same fields in another order, at any depth', () => {
    expect(hashInput({ a: 1, b: { c: [1, { d: 2, e: 3 }] } })).toEqual(
      hashInput({ b: { c: [1, { e: 3, d: 2 }] }, a: 1 }),
    )
  })

  it.each([[{ a: '1' }], [{ a: 1, b: null }], [{ b: 1 }], [[1]]])('differs from that of { a: 1 } for %j', (other) => {
    expect(hashInput(other)).not.toEqual(hashInput({ a: 1 }))
  })
})

describe('the routes that take a key', () => {
  const keyed = Object.values(contract)
    .flatMap((routes): Route[] => Object.values(routes))
    .filter(({ idempotent }) => idempotent)

  it('answer nothing that must not be stored, and know who calls', () => {
    expect(keyed.length).toBeGreaterThan(10)
    expect(keyed.filter(({ secret, stream, access }) => secret || stream || access.keys === 'public')).toEqual([])
  })
})

it('hashes a bulk input in steps as in one go', async () => {
  const list = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 5 })
  const body = fc.dictionary(fc.string(), fc.oneof(list, fc.jsonValue(), fc.constant(undefined)))
  await fc.assert(
    fc.asyncProperty(fc.record({ params: fc.jsonValue(), query: fc.jsonValue(), body }), async (input) => {
      expect((await hashBulkInput(input)).equals(hashInput(input))).toBe(true)
    }),
  )
})
