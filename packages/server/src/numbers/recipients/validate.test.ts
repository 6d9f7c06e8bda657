import { once } from 'node:events'
import { limits } from '@msgctl/contract'
import { GatewayError } from '@msgctl/network/errors'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)

function people(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `+49 151 ${String(n).padStart(8, '0')}`)
}

describe('POST /recipients/validate', () => {
  it('cleans a list: duplicates go, bad shapes and numbers off the network are listed with their code', async () => {
    const phones = [
      '+1 (202) 555-0100',
      '12025550100',
      '[+49] 151 2345678',
      '+12025550101',
      '555',
      '',
      '555',
      '1202555０100',
    ]
    expect(await client.recipients.validate({ phones })).toEqual({
      success: true,
      total: 6,
      valid: 2,
      invalid: 4,
      validNumbers: [
        { phone: '12025550100', chatId: '12025550100@c.us' },
        { phone: '491512345678', chatId: '491512345678@c.us' },
      ],
      invalidNumbers: [
        { phone: '+12025550101', reason: expect.any(String), code: 'not_on_network' },
        { phone: '555', reason: expect.any(String), code: 'invalid_format' },
        { phone: '', reason: expect.any(String), code: 'invalid_format' },
        { phone: '1202555０100', reason: expect.any(String), code: 'invalid_format' },
      ],
    })
  })

  it('lists a text of up to 64 KiB as of a bad format, and stores nothing of it', async () => {
    const long = ['1'.repeat(65), '+12025550100'.padEnd(65, ' '), `${'1'.repeat(10_000)}@lid`, '9'.repeat(65_000)]
    const { valid, invalidNumbers } = await client.recipients.validate({ phones: ['12025550100', ...long] })
    expect(valid).toBe(1)
    expect(invalidNumbers).toEqual(
      long.map((text) => ({
        phone: text.slice(0, limits.invalidPhone),
        reason: expect.any(String),
        code: 'invalid_format',
      })),
    )
    const kept = await rows(server.db, 'select digits from recipient_checks where length(digits) > 36')
    expect(kept).toEqual([])
  })

  it('cuts a long text between two characters', async () => {
    const letter = '\u{1d400}'
    const { invalidNumbers } = await client.recipients.validate({ phones: [letter.repeat(1000), 'x'.repeat(100)] })
    expect(invalidNumbers.map(({ phone }) => phone)).toEqual([letter.repeat(100), 'x'.repeat(100)])
  })

  it('lists a number that the network does not answer about as valid, with an empty chatId', async () => {
    const response = await client.recipients.validate({ phones: ['12025550100', '12025550102', '12025550101'] })
    expect(response).toMatchObject({ total: 3, valid: 2, invalid: 1 })
    expect(response.validNumbers).toEqual([
      { phone: '12025550100', chatId: '12025550100@c.us' },
      { phone: '12025550102', chatId: '' },
    ])
  })

  it('knows hidden people by the number it asked about, and ids ending in @lid by themselves', async () => {
    const { validNumbers } = await client.recipients.validate({
      phones: ['12025550140', '12025550141', '123456789012345@lid'],
    })
    expect(validNumbers).toEqual([
      { phone: '12025550140', chatId: '12025550140@c.us' },
      { phone: '12025550141', chatId: '12025550141@c.us' },
      { phone: '123456789012345@lid', chatId: '123456789012345@lid' },
    ])
  })

  it('lists every well-formed number as valid with an empty chatId when the network cannot be asked', async () => {
    const other = await makeOrganization(server)
    await makeNumber(server, other)
    await sim(server, 'PUT faults', { check: { session: 1 } })
    try {
      expect(
        await server.client(other).recipients.validate({ phones: ['12025550100', '12025550101', 'x'] }),
      ).toMatchObject({
        valid: 2,
        invalid: 1,
        validNumbers: [
          { phone: '12025550100', chatId: '' },
          { phone: '12025550101', chatId: '' },
        ],
      })
    } finally {
      await sim(server, 'DELETE faults')
    }
  })

  it('does not ask again about recipients that it asked about a moment ago', async () => {
    const phones = people(30)
    const first = await client.recipients.validate({ phones })
    await sim(server, 'PUT faults', { check: { timeout: 1 } })
    try {
      expect(await client.recipients.validate({ phones })).toEqual(first)
    } finally {
      await sim(server, 'DELETE faults')
    }
  })

  it('takes up to 10,000 numbers', async () => {
    const phones = [...people(10_000)]
    await keepAsKnown(phones)
    const response = await client.recipients.validate({ phones })
    expect([response.total, response.valid, response.validNumbers.length]).toEqual([10_000, 10_000, 10_000])
    await expect(client.recipients.validate({ phones: [...phones, '+12025550100'] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field: 'phones', code: 'too_big', maximum: 10_000 }],
    })
  })

  it('needs a connected number', async () => {
    const other = await makeOrganization(server)
    const phones = ['+12025550100']
    await expect(server.client(other).recipients.validate({ phones })).rejects.toMatchObject({
      code: 'NO_SESSION_CONFIGURED',
    })
    await makeNumber(server, other, { linked: false })
    await expect(server.client(other).recipients.validate({ phones })).rejects.toMatchObject({
      code: 'NO_SESSION_CONFIGURED',
    })
    await expect(server.client(other).recipients.validate({ phones, containerId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('spends at most 25 s, and lists whom it could not ask about by then as valid with an empty chatId', async () => {
    const other = await makeOrganization(server)
    await makeNumber(server, other)
    const { gateway } = server.services
    const check = gateway.check.bind(gateway)
    // The limit counts elapsed time. The test holds its timer, and lets it fire during the third question.
    const start = globalThis.setTimeout
    const timers: (() => void)[] = []
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((task: () => void, ms?: number, ...given: []) => {
      if (ms !== 25_000) return start(task, ms, ...given)
      timers.push(task)
      return start(() => undefined, 0)
    }) as typeof setTimeout)
    const checks = vi.spyOn(gateway, 'check').mockImplementation(async (session, digits, signal) => {
      if (checks.mock.calls.length < 3) return check(session, digits, signal)
      for (const fire of timers) fire()
      throw new GatewayError('timeout', 'The question was given up.')
    })
    onTestFinished(() => void vi.restoreAllMocks())
    const response = await server.client(other).recipients.validate({ phones: people(1000) })
    expect(timers).toHaveLength(1)
    expect(checks).toHaveBeenCalledTimes(3)
    expect(response).toMatchObject({ total: 1000, valid: 1000, invalid: 0 })
    expect(response.validNumbers.filter(({ chatId }) => chatId !== '')).toHaveLength(10)
  })

  it('stops asking when the caller leaves, and keeps what it learnt by then', async () => {
    const other = await makeOrganization(server)
    await makeNumber(server, other)
    const caller = new AbortController()
    const { gateway } = server.services
    const check = gateway.check.bind(gateway)
    const checks = vi.spyOn(gateway, 'check').mockImplementation(async (session, digits, signal) => {
      if (checks.mock.calls.length < 3) return check(session, digits, signal)
      const left = once(signal as AbortSignal, 'abort')
      caller.abort()
      await left
      throw new GatewayError('timeout', 'The question was given up.')
    })
    try {
      const call = server.client(other).recipients.validate({ phones: people(5000) }, { signal: caller.signal })
      await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
      const kept = () =>
        rows(server.db, 'select digits from recipient_checks where organization_id = :organizationId', {
          organizationId: other.organizationId,
        })
      await eventually(kept, (known) => known.length === 10)
      expect(checks).toHaveBeenCalledTimes(3)
    } finally {
      checks.mockRestore()
    }
  })
})

describe('the check budget', () => {
  it('bounds what two processes ask through one number; sends keep their part of it', async () => {
    const env = { CHECKS_PER_NUMBER_PER_MINUTE: '60' }
    const one = await startTestServer({ env })
    const two = await serveDatabase(one.db, one.databaseUrl, { env, worker: false })
    try {
      await one.services.clock.freeze()
      await two.services.clock.sync()
      const own = await makeOrganization(one)
      await makeNumber(one, own)
      const phones = people(200)
      const responses = await Promise.all([
        one.client(own).recipients.validate({ phones: phones.slice(0, 100) }),
        two.client(own).recipients.validate({ phones: phones.slice(100) }),
      ])
      const numbers = responses.flatMap(({ validNumbers }) => validNumbers)
      expect(numbers).toHaveLength(200)
      expect(numbers.filter(({ chatId }) => chatId !== '')).toHaveLength(50)

      const batch = { recipients: people(11).map((phone) => phone.replace('+49', '+44')), message: 'hi' }
      await expect(two.client(own).alert.batch(batch)).rejects.toMatchObject({
        code: 'NUMBER_VALIDATION_UNAVAILABLE',
        details: { retryAfterSeconds: 1 },
      })
      await one.advance(1)
      await two.services.clock.sync()
      await expect(two.client(own).alert.batch(batch)).resolves.toMatchObject({ count: 11 })
    } finally {
      await two.stop()
    }
  })
})

/** Writes down that all of these are on the network, as an earlier call would have. */
async function keepAsKnown(phones: readonly string[]): Promise<void> {
  await rows(
    server.db,
    `insert into recipient_checks (organization_id, digits, on_network, chat_id, valid_until)
     select :organizationId, digits, true, digits || '@c.us', service_now() + interval '1 day'
       from unnest(:digits::text[]) as digits
     on conflict do nothing`,
    { organizationId: organization.organizationId, digits: phones.map((phone) => phone.replace(/\D/g, '')) },
  )
}
