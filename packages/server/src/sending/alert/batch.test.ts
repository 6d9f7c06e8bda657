import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { advanceToNoon } from '#testing/advance-to-noon.ts'
import { eventually } from '#testing/eventually.ts'
import { type MadeOrganization, makeNumber, makeNumberKey, makeOrganization } from '#testing/make.ts'
import { sim, transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
await advanceToNoon(server.services.clock)
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)

function people(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, n) => `4915100${String(from + n).padStart(6, '0')}`)
}

async function stored({ organizationId }: MadeOrganization): Promise<number> {
  const found = await rows(server.db, 'select id from messages where organization_id = :organizationId', {
    organizationId,
  })
  return found.length
}

describe('POST /alert/batch', () => {
  it('queues one message for each recipient, and every phone gets the text once', async () => {
    const other = await makeOrganization(server)
    const own = await makeNumber(server, other)
    const recipients = people(60)
    const answer = await server
      .client(other)
      .alert.batch({ recipients, message: 'closed today', clientReference: 'day 7' })
    expect(answer).toMatchObject({ success: true, count: 60, invalidNumbers: [], skipped: 0, duplicates: 0 })
    expect(answer.messages.map(({ phone }) => phone)).toEqual(recipients)
    expect(new Set(answer.messages.map((message) => message.messageId)).size).toBe(60)
    expect(new Set(answer.messages.map((message) => message.containerId))).toEqual(new Set([own]))

    const arrived = await eventually(
      () => transcriptOf(server, own),
      (entries) => entries.length >= 60,
    )
    expect(arrived.map(({ to }) => to).sort()).toEqual([...recipients].sort())
    const { messages } = await server.client(other).messages.list({ limit: 100 })
    expect(new Set(messages.map(({ id }) => id))).toEqual(new Set(answer.messages.map(({ messageId }) => messageId)))
    for (const message of messages) {
      expect(message).toMatchObject({
        type: 'alert',
        content: 'closed today',
        priority: 'normal',
        clientReference: 'day 7',
      })
    }
  })

  it('skips who is off the network and what is no number, and lists them as they were given', async () => {
    const recipients = ['+1 (202) 555-0100', '+1 202 555 0101', 'no number', '77123@lid', '12025550140', '12025550141']
    const answer = await client.alert.batch({ recipients, message: 'hi' })
    expect(answer).toMatchObject({ count: 4, invalidNumbers: ['+1 202 555 0101', 'no number'], skipped: 2 })
    expect(answer.messages.map(({ phone }) => phone)).toEqual([
      '12025550100',
      '77123@lid',
      '12025550140',
      '12025550141',
    ])
  })

  it('skips texts of any length, under an Idempotency-Key too', async () => {
    const long = ['+12025550100'.padEnd(65, ' '), '1'.repeat(1000), 'x'.repeat(200_000)]
    const options = { idempotencyKey: 'a-long-entry' }
    const body = { recipients: [...long, '12025550121'], message: 'hi' }
    const answer = await client.alert.batch(body, options)
    expect(answer).toMatchObject({ count: 1, invalidNumbers: long, skipped: 3 })
    expect(await client.alert.batch(body, options)).toEqual(answer)
    await expect(client.alert.batch({ ...body, skipInvalidNumbers: false })).rejects.toMatchObject({
      code: 'NUMBER_NOT_ON_NETWORK',
      details: { invalidNumbers: long },
    })
  })

  it('sends once to a number that stands in the list several times', async () => {
    const recipients = ['+12025550100', '1 202 555 0100', '12025550101', '+1-202-555-0101', 'x', 'x', '12025550121']
    const answer = await client.alert.batch({ recipients, message: 'hi' })
    expect(answer.messages.map(({ phone }) => phone)).toEqual(['12025550100', '12025550121'])
    expect(answer).toMatchObject({ count: 2, invalidNumbers: ['12025550101', 'x'], skipped: 2, duplicates: 3 })
  })

  it.each([
    ['one is off the network', ['+12025550100', '+12025550101'], ['+12025550101']],
    ['one is no number', ['+12025550100', 'no number'], ['no number']],
    ['all are off the network', ['+12025550101'], ['+12025550101']],
  ])('sends nothing when %s and none may be skipped', async (_what, recipients, invalidNumbers) => {
    const before = await stored(organization)
    await expect(client.alert.batch({ recipients, message: 'hi', skipInvalidNumbers: false })).rejects.toMatchObject({
      code: 'NUMBER_NOT_ON_NETWORK',
      status: 400,
      details: { invalidNumbers },
    })
    expect(await stored(organization)).toBe(before)
  })

  it('sends to all when none may be skipped and none has to be', async () => {
    const recipients = ['+12025550100', '+12025550121']
    const answer = await client.alert.batch({ recipients, message: 'hi', skipInvalidNumbers: false })
    expect(answer).toMatchObject({ count: 2, skipped: 0 })
  })

  it('refuses with NO_VALID_NUMBERS when none is left', async () => {
    const recipients = ['+12025550101', 'no number', '+13035550101']
    await expect(client.alert.batch({ recipients, message: 'hi' })).rejects.toMatchObject({
      code: 'NO_VALID_NUMBERS',
      status: 400,
      details: { invalidNumbers: recipients },
    })
  })

  it.each([true, false])('queues nothing when the network cannot be queried about one (skipping: %s)', async (skip) => {
    const before = await stored(organization)
    await expect(
      client.alert.batch({
        recipients: ['+12025550100', '+12025550102', '+12025550101'],
        message: 'hi',
        skipInvalidNumbers: skip,
      }),
    ).rejects.toMatchObject({
      code: 'NUMBER_VALIDATION_UNAVAILABLE',
      status: 503,
      details: { notChecked: ['+12025550102'] },
    })
    expect(await stored(organization)).toBe(before)
  })

  it('skips and lists those that cannot be checked with skipUnchecked, unless none is left', async () => {
    const batch = { message: 'hi', skipUnchecked: true }
    const recipients = ['+12025550100', '+12025550102', '+12025550101']
    const { messages, ...counts } = await client.alert.batch({ ...batch, recipients })
    expect(messages.map(({ phone }) => phone)).toEqual(['12025550100'])
    const invalidNumbers = ['+12025550101']
    expect(counts).toMatchObject({ count: 1, invalidNumbers, notChecked: ['+12025550102'], skipped: 2 })
    const before = await stored(organization)
    await expect(client.alert.batch({ ...batch, recipients: recipients.slice(1) })).rejects.toMatchObject({
      code: 'NUMBER_VALIDATION_UNAVAILABLE',
      details: { notChecked: ['+12025550102'] },
    })
    expect(await stored(organization)).toBe(before)
    expect(await client.alert.batch({ ...batch, recipients: ['+12025550100'] })).not.toHaveProperty('notChecked')
  })

  it('can be repeated after the network was away, under the same Idempotency-Key, and then sends once', async () => {
    const other = await makeOrganization(server)
    await makeNumber(server, other)
    const batch = { recipients: people(10), message: 'hi' }
    const send = () => server.client(other).alert.batch(batch, { idempotencyKey: 'after-the-storm' })
    await sim(server, 'PUT faults', { check: { timeout: 1 } })
    try {
      await expect(send()).rejects.toMatchObject({ code: 'NUMBER_VALIDATION_UNAVAILABLE' })
    } finally {
      await sim(server, 'DELETE faults')
    }
    const first = await send()
    expect(first.count).toBe(10)
    expect(await send()).toEqual(first)
    expect(await stored(other)).toBe(10)
  })

  it('responds to a repeat with the same key as before, although the network reports otherwise by now', async () => {
    const options = { idempotencyKey: 'batch-1' }
    const input = { recipients: ['+12025550100', '12025550101', 'a\0b'], message: 'keyed' }
    const before = await stored(organization)
    const first = await client.alert.batch(input, options)
    await server.advance(2 * 3600)
    await sim(server, 'PUT faults', { check: { timeout: 1 } })
    try {
      expect(await client.alert.batch(input, options)).toEqual(first)
    } finally {
      await sim(server, 'DELETE faults')
    }
    expect(first.invalidNumbers).toEqual(['12025550101', 'a\uFFFDb'])
    expect(await stored(organization)).toBe(before + 1)
    await expect(client.alert.batch({ ...input, priority: 'high' }, options)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'idempotency_mismatch' },
    })
  })

  it('is queued once when twins with one key arrive together', async () => {
    const other = await makeOrganization(server)
    await makeNumber(server, other)
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        server.client(other).alert.batch({ recipients: people(20), message: 'hi' }, { idempotencyKey: 'twins' }),
      ),
    )
    const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.messages] : []))
    expect(answers.length).toBeGreaterThan(0)
    for (const messages of answers) expect(messages).toEqual(answers[0])
    for (const result of results) {
      if (result.status === 'fulfilled') continue
      expect(result.reason).toMatchObject({ code: 'CONFLICT', details: { reason: 'idempotency_in_progress' } })
    }
    expect(await stored(other)).toBe(20)
  })

  it('takes up to 500 recipients', async () => {
    const recipients = people(500, 1000)
    const answer = await client.alert.batch({ recipients, message: 'x'.repeat(4096), priority: 'low' })
    expect(answer.count).toBe(500)
    await expect(
      client.alert.batch({ recipients: [...recipients, '+12025550100'], message: 'hi' }),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field: 'recipients', code: 'too_big', maximum: 500 }],
    })
  })

  it('goes through the number that the caller selects, which has to be connected', async () => {
    const other = await makeOrganization(server)
    const batch = { recipients: ['+12025550100'], message: 'hi' }
    await expect(server.client(other).alert.batch(batch)).rejects.toMatchObject({ code: 'NO_SESSION_CONFIGURED' })
    await makeNumber(server, other)
    const second = await makeNumber(server, other)
    const throughSecond = await server.client(other).alert.batch({ ...batch, containerId: second })
    expect(throughSecond.messages[0]?.containerId).toBe(second)
    const key = await makeNumberKey(server, other, second)
    const own = await server.client({ apiKey: key }).alert.batch({ ...batch, containerId })
    expect(own.messages[0]?.containerId).toBe(second)
    const pinned = await rows<{ pinned: boolean }>(
      server.db,
      'select pinned from messages where organization_id = :organizationId',
      { organizationId: other.organizationId },
    )
    expect(pinned).toEqual([{ pinned: true }, { pinned: true }])
    await expect(server.client(other).alert.batch({ ...batch, containerId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('a batch on the free trial', () => {
  it('counts each recipient once, and is refused whole when it is larger than what is left', async () => {
    const trial = await makeOrganization(server, { granted: false })
    await makeNumber(server, trial)
    const send = (recipients: string[]) => server.client(trial).alert.batch({ recipients, message: 'trial' })
    // Neither the duplicate nor the number off the network is counted.
    expect((await send([...people(60), ...people(60), '12025550101'])).count).toBe(60)
    await expect(send(people(41))).rejects.toMatchObject({
      code: 'TRIAL_LIMIT_REACHED',
      status: 429,
      details: { limit: 100, used: 60, requested: 41 },
    })
    expect(await stored(trial)).toBe(60)
    expect((await send(people(40))).count).toBe(40)
    await expect(send(people(1))).rejects.toMatchObject({ details: { used: 100, requested: 1 } })
    expect(await stored(trial)).toBe(100)
  })

  it('never passes 100 messages, nor is queued in part, when batches race for the last ones', async () => {
    const trial = await makeOrganization(server, { granted: false })
    await makeNumber(server, trial)
    await server.client(trial).alert.validate({ phones: people(40) })
    const sizes = [40, 7, 33, 21, 9, 40, 13, 1, 28, 5, 17, 36]
    const results = await Promise.allSettled(
      sizes.map((size) => server.client(trial).alert.batch({ recipients: people(size), message: `race of ${size}` })),
    )
    let queued = 0
    for (const [n, result] of results.entries()) {
      if (result.status === 'fulfilled') {
        expect(result.value.count).toBe(sizes[n])
        queued += result.value.count
      } else {
        expect(result.reason).toMatchObject({ code: 'TRIAL_LIMIT_REACHED', details: { requested: sizes[n] } })
      }
    }
    // The smallest that was refused did not fit, so no more than its size is left.
    const refused = results.flatMap((result, n) => (result.status === 'rejected' ? [sizes[n] ?? 0] : []))
    expect(queued).toBeLessThanOrEqual(100)
    expect(queued + Math.min(...refused)).toBeGreaterThan(100)
    expect(await stored(trial)).toBe(queued)
  })

  it('spends nothing on a batch that was not queued', async () => {
    const trial = await makeOrganization(server, { granted: false })
    await makeNumber(server, trial)
    const send = (recipients: string[]) => server.client(trial).alert.batch({ recipients, message: 'trial' })
    await expect(send([...people(50), '12025550102'])).rejects.toMatchObject({ code: 'NUMBER_VALIDATION_UNAVAILABLE' })
    await expect(send(['12025550101'])).rejects.toMatchObject({ code: 'NO_VALID_NUMBERS' })
    expect((await send(people(100))).count).toBe(100)
  })
})
