import { GatewayError } from '@msgctl/network/errors'
import type { CheckResult, Gateway } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { insertNumber } from '#numbers/records/store.ts'
import { newId } from '#platform/db/new-id.ts'
import { makeOrganization } from '#testing/make.ts'
import { testServices } from '#testing/services.ts'
import { type CheckOptions, checkRecipients } from './check.ts'

const services = await testServices()
const neverAborted = new AbortController().signal

type CheckNetwork = (digits: readonly string[], signal: AbortSignal) => Promise<Iterable<[string, CheckResult]>>

/** Returns a network that responds as the test specifies, and records the questions that it received. */
function network(checkNetwork: CheckNetwork, checkBatch = 5) {
  const batches: string[][] = []
  const inFlight = { now: 0, most: 0 }
  const gateway = {
    checkBatch: () => checkBatch,
    async check(_session: unknown, digits: string[], signal: AbortSignal) {
      batches.push(digits)
      inFlight.now += digits.length
      inFlight.most = Math.max(inFlight.most, inFlight.now)
      try {
        return new Map(await checkNetwork(digits, signal))
      } finally {
        inFlight.now -= digits.length
      }
    },
  }
  return { gateway: gateway as unknown as Gateway, batches, inFlight }
}

const allRegistered: CheckNetwork = async (digits) => digits.map((one) => [one, { exists: true }])
const noResponse = new GatewayError('timeout', 'The network did not answer.', { outcome: 'not_sent' })
const noNetwork: CheckNetwork = () => Promise.reject(noResponse)

async function newSession(gateway = 'simulator') {
  const { organizationId } = await makeOrganization(services)
  const containerId = newId()
  await insertNumber(services.db, {
    id: containerId,
    organizationId,
    gateway,
    label: 'Test',
    instanceName: containerId,
  })
  return { containerId, organizationId }
}

/** Checks through one number of its own, at the network that is given. */
async function checker({ gateway }: { gateway: Gateway }, session?: Awaited<ReturnType<typeof newSession>>) {
  const own = session ?? (await newSession())
  return (recipients: readonly string[], options: Partial<CheckOptions> = {}) =>
    checkRecipients({ ...services, gateway }, own, recipients, { signal: neverAborted, purpose: 'send', ...options })
}

function people(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, n) => `4915100${String(from + n).padStart(6, '0')}`)
}

describe('asking the network', () => {
  it('is about five numbers at a time, in one question where the network takes several', async () => {
    const fake = network(allRegistered)
    const { checks } = await (await checker(fake))(people(12))
    expect(checks.size).toBe(12)
    expect(fake.batches.map((digits) => digits.length)).toEqual([5, 5, 2])
    expect(fake.inFlight.most).toBe(5)
  })

  it('is about five numbers at a time, in questions side by side where the network takes one each', async () => {
    const fake = network(allRegistered, 1)
    const { checks } = await (await checker(fake))(people(12))
    expect(checks.size).toBe(12)
    expect(fake.batches.map((digits) => digits.length)).toEqual(Array.from({ length: 12 }, () => 1))
    expect(fake.inFlight.most).toBe(5)
  })

  it('is done once for a number that is in a list several times, and never for ids of the network itself', async () => {
    const fake = network(allRegistered)
    const { checks } = await (await checker(fake))(['491510000001', '77123@lid', '491510000001'])
    expect(fake.batches).toEqual([['491510000001']])
    expect(checks.get('77123@lid')).toMatchObject({ onNetwork: true, chatId: '77123@lid' })
  })

  it('gives the network’s own address: another number, or a hidden id', async () => {
    const reported: CheckNetwork = async () => [
      ['5511999990000', { exists: true, address: { kind: 'phone', digits: '551199990000' } }],
      ['12025550140', { exists: true, address: { kind: 'lid', id: '77123@lid' }, lid: '77123@lid' }],
      ['12025550100', { exists: true }],
      ['12025550101', { exists: false }],
    ]
    const recipients = ['5511999990000', '12025550140', '12025550100', '12025550101']
    const check = await checker(network(reported))
    for (const { checks } of [await check(recipients), await check(recipients)]) {
      expect(recipients.map((one) => checks.get(one)?.chatId)).toEqual([
        '551199990000@c.us',
        '77123@lid',
        '12025550100@c.us',
        '',
      ])
      expect(checks.get('12025550140')?.lid).toBe('77123@lid')
    }
  })

  it('keeps what it learnt for 24 h when the number is on the network, and for 1 h when it is not', async () => {
    const fake = network(async (digits) => digits.map((one) => [one, { exists: one === '491510000001' }]))
    const check = await checker(fake)
    const recipients = ['491510000001', '491510000002']
    const questions = async () => {
      fake.batches.length = 0
      const { checks } = await check(recipients)
      expect(recipients.map((one) => checks.get(one)?.onNetwork)).toEqual([true, false])
      return fake.batches
    }
    expect(await questions()).toEqual([recipients])
    await services.clock.advance(3599)
    expect(await questions()).toEqual([])
    await services.clock.advance(1)
    expect(await questions()).toEqual([['491510000002']])
    await services.clock.advance(23 * 3600)
    expect(await questions()).toEqual([recipients])
  })

  it('keeps it for 30 days and for one day on a real network', async () => {
    const fake = network(async (digits) => digits.map((one) => [one, { exists: one === '491510000001' }]))
    const check = await checker(fake, await newSession('other'))
    const recipients = ['491510000001', '491510000002']
    const askedAfter = async (seconds: number) => {
      fake.batches.length = 0
      await services.clock.advance(seconds)
      await check(recipients)
      return fake.batches
    }
    expect(await askedAfter(0)).toEqual([recipients])
    expect(await askedAfter(86_399)).toEqual([])
    expect(await askedAfter(1)).toEqual([['491510000002']])
    expect(await askedAfter(29 * 86_400 - 1)).toEqual([['491510000002']])
    expect(await askedAfter(1)).toEqual([['491510000001']])
  })

  it('does not share the results of one organization with another', async () => {
    const fake = network(allRegistered)
    await (await checker(fake))(['491510000001'])
    await (await checker(fake))(['491510000001'])
    expect(fake.batches).toEqual([['491510000001'], ['491510000001']])
  })
})

describe('the end of asking', () => {
  it('comes when the time is over; the others are left without an answer', async () => {
    const fake = network((digits, signal) => {
      if (fake.batches.length < 3) return allRegistered(digits, signal)
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(noResponse)))
    })
    const { checks } = await (await checker(fake))(people(40), { withinMs: 1000 })
    expect(fake.batches).toHaveLength(3)
    expect([...checks.keys()]).toEqual(people(10))
  })

  it('is not brought forward by a step of the service’s clock', async () => {
    const fake = network(async (digits, signal) => {
      await services.clock.advance(3600)
      return allRegistered(digits, signal)
    })
    const { checks } = await (await checker(fake))(people(40))
    expect(checks.size).toBe(40)
  })

  it('comes for a question that is under way too, and is not taken for the network’s noNetwork', async () => {
    const fake = network(
      (_digits, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(noResponse))),
    )
    const check = await checker(fake)
    for (let n = 0; n < 4; n += 1) {
      const { checks, retryAfterMs } = await check(people(10, n * 10), { withinMs: 300 })
      expect([checks.size, retryAfterMs]).toEqual([0, undefined])
    }
    expect(fake.batches).toHaveLength(4)
  })

  it('comes when the caller leaves; what was learnt by then is kept', async () => {
    const caller = new AbortController()
    const fake = network(async (digits, signal) => {
      if (fake.batches.length < 3) return allRegistered(digits, signal)
      caller.abort()
      throw noResponse
    })
    const check = await checker(fake)
    expect((await check(people(40), { signal: caller.signal })).checks.size).toBe(10)
    expect(fake.batches).toHaveLength(3)
    fake.batches.length = 0
    const { checks } = await check(people(10))
    expect(checks.size).toBe(10)
    expect(fake.batches).toEqual([])
  })

  it('is at once when the caller has left before', async () => {
    const fake = network(allRegistered)
    expect((await (await checker(fake))(people(3), { signal: AbortSignal.abort() })).checks.size).toBe(0)
    expect(fake.batches).toEqual([])
  })

  it.each([
    ['session', undefined],
    ['restricted', 90_000],
  ] as const)('comes with the first failure of kind %s, which the next question would meet too', async (kind, ms) => {
    const fake = network(() =>
      Promise.reject(new GatewayError(kind, 'It cannot be done.', ms === undefined ? {} : { retryAfterMs: ms })),
    )
    const { checks, retryAfterMs } = await (await checker(fake))(people(20))
    expect([fake.batches.length, checks.size, retryAfterMs]).toEqual([1, 0, ms])
  })
})

describe('a network that does not answer', () => {
  it.each([
    ['a time-out', noResponse],
    ['a host that is away', new GatewayError('unreachable', 'The host does not respond.')],
    ['a fault of the driver', new TypeError('undefined is not a function')],
  ])('is asked three times and then left alone for 30 s: %s', async (_what, failure) => {
    let answering = false
    const fake = network((digits, signal) => (answering ? allRegistered(digits, signal) : Promise.reject(failure)))
    const check = await checker(fake)
    expect((await check(people(30))).retryAfterMs).toBe(30_000)
    expect(fake.batches).toHaveLength(3)

    await services.clock.advance(20)
    expect(await check(people(5, 100))).toEqual({ checks: new Map(), retryAfterMs: 10_000 })
    expect(fake.batches).toHaveLength(3)

    await services.clock.advance(10)
    expect((await check(people(30))).retryAfterMs).toBe(30_000)
    expect(fake.batches).toHaveLength(4)

    await services.clock.advance(30)
    answering = true
    expect((await check(people(30))).checks.size).toBe(30)
    answering = false
    fake.batches.length = 0
    await check(people(10, 200))
    expect(fake.batches).toHaveLength(2)
  })

  it('is still asked about others when there is only one recipient without an answer', async () => {
    let quiet = true
    const fake = network((digits, signal) => (quiet ? noNetwork(digits, signal) : allRegistered(digits, signal)))
    const check = await checker(fake)
    for (let n = 0; n < 10; n += 1) expect((await check(['12025550102'])).checks.size).toBe(0)
    quiet = false
    expect((await check(['12025550100'])).checks.size).toBe(1)
  })

  it('leaves out whom it does not answer about, and keeps the others', async () => {
    const fake = network(async (digits, signal) =>
      allRegistered(
        digits.filter((one) => !one.endsWith('3')),
        signal,
      ),
    )
    const check = await checker(fake)
    const { checks } = await check(people(20))
    expect(people(20).filter((one) => !checks.has(one))).toEqual([people(20)[3], people(20)[13]])
  })

  it('through one number says nothing about another number', async () => {
    const fake = network(noNetwork)
    await (await checker(fake))(people(30))
    await (await checker(fake))(people(30))
    expect(fake.batches).toHaveLength(6)
  })
})
