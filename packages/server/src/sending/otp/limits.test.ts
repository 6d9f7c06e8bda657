import { beforeAll, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { reapMessages } from '#sending/messages/queue/sweep.ts'
import { makeSender, newPhone, startTwoServers, textsTo, withoutKeys } from '#testing/features/otp.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim, transcriptOf } from '#testing/sim.ts'
import { deleteExpiredOtps } from './store.ts'

const [server, second] = await startTwoServers()
const sender = await makeSender(server)
const client = server.client(sender)

// From here time moves only where a test moves it.
beforeAll(() => server.services.clock.freeze())

const limited = (scope: 'phone' | 'organization', retryAfterSeconds: number) => ({
  code: 'OTP_RATE_LIMITED',
  status: 429,
  details: { scope, retryAfterSeconds },
})

/**
 * Sends codes at once, half of them by each service and half with an Idempotency-Key. Returns how many left, and the
 * errors of the others.
 */
async function race(apiKey: string, phones: readonly string[]) {
  const services = [server, second]
  const clients = [
    ...services.map((one) => one.client({ apiKey })),
    ...services.map((one) => withoutKeys(one, { apiKey })),
  ]
  const outcomes = await Promise.allSettled(phones.map((phone, n) => clients[n % clients.length]?.otp.send({ phone })))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
  return { left: outcomes.length - refused.length, refused }
}

describe('codes to one phone', () => {
  it('of 50 that are requested at once, from two services, exactly one leaves', async () => {
    const phone = newPhone()
    const { left, refused } = await race(
      sender.apiKey,
      Array.from({ length: 50 }, () => phone),
    )
    expect(left).toBe(1)
    for (const error of refused) expect(error).toMatchObject(limited('phone', 30))
    expect(await textsTo(server, sender.containerId, phone)).toHaveLength(1)
  })

  it('are at most one in any 30 s, to the millisecond', async () => {
    const phone = newPhone()
    await client.otp.send({ phone })
    await expect(client.otp.send({ phone })).rejects.toMatchObject(limited('phone', 30))
    await server.advance(29.999)
    await expect(client.otp.send({ phone })).rejects.toMatchObject(limited('phone', 1))
    await server.advance(0.001)
    await client.otp.send({ phone })
  })

  it('are at most three in any 10 min: the window slides', async () => {
    const phone = newPhone()
    for (const pause of [0, 30, 30]) {
      await server.advance(pause)
      await client.otp.send({ phone })
    }
    await server.advance(30)
    await expect(client.otp.send({ phone })).rejects.toMatchObject(limited('phone', 510))
    await server.advance(509.999)
    await expect(client.otp.send({ phone })).rejects.toMatchObject(limited('phone', 1))
    await server.advance(0.001)
    await client.otp.send({ phone })
    await server.advance(29.999)
    await expect(client.otp.send({ phone })).rejects.toMatchObject(limited('phone', 1))
    await server.advance(0.001)
    await client.otp.send({ phone })
  })

  it('are at most ten in any 24 h, and what is older than that is deleted', async () => {
    const phone = newPhone()
    for (let n = 0; n < 10; n++) {
      if (n > 0) await server.advance(200)
      await client.otp.send({ phone })
    }
    await server.advance(200)
    await expect(client.otp.send({ phone })).rejects.toMatchObject(limited('phone', 84_400))
    await server.advance(84_399.999)
    await deleteExpiredOtps(server.db)
    await expect(client.otp.send({ phone })).rejects.toMatchObject(limited('phone', 1))
    await server.advance(0.001)
    await client.otp.send({ phone })

    await server.advance(90_000.001)
    await deleteExpiredOtps(server.db)
    const [kept] = await rows<{ count: number }>(server.db, 'select count(*) as count from otp_requests')
    expect(kept?.count).toBe(0)
  })

  it('are counted for each organization and each phone alone', async () => {
    const phone = newPhone()
    const other = await makeSender(server)
    await client.otp.send({ phone })
    await client.otp.send({ phone: newPhone() })
    await server.client(other).otp.send({ phone })
  })

  it('are counted whichever number they go through', async () => {
    const phone = newPhone()
    const organization = await makeOrganization(server)
    const numbers = [await makeNumber(server, organization), await makeNumber(server, organization)]
    const theirs = server.client(organization)
    await theirs.otp.send({ phone, containerId: String(numbers[0]) })
    await expect(theirs.otp.send({ phone, containerId: String(numbers[1]) })).rejects.toMatchObject(
      limited('phone', 30),
    )
  })

  it('report the wait in Retry-After', async () => {
    const phone = newPhone()
    await client.otp.send({ phone })
    const response = await fetch(`${server.baseUrl}/otp/send`, {
      method: 'POST',
      headers: { 'x-api-key': sender.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ phone }),
    })
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '30'])
  })
})

describe('codes of one organization', () => {
  it('are at most 60 in any minute, also when 70 are requested at once from two services', async () => {
    const crowd = await makeSender(server)
    const { left, refused } = await race(crowd.apiKey, Array.from({ length: 70 }, newPhone))
    expect(left).toBe(60)
    for (const error of refused) expect(error).toMatchObject(limited('organization', 60))
    expect(await transcriptOf(server, crowd.containerId)).toHaveLength(60)
    const theirs = server.client(crowd)
    await server.advance(59.999)
    await expect(theirs.otp.send({ phone: newPhone() })).rejects.toMatchObject(limited('organization', 1))
    await client.otp.send({ phone: newPhone() })
    await server.advance(0.001)
    await theirs.otp.send({ phone: newPhone() })
  })
})

describe('a code whose send', () => {
  it.each([
    ['rejected', 'GATEWAY_ERROR'],
    ['unreachable', 'GATEWAY_UNREACHABLE'],
    ['session', 'GATEWAY_SESSION_ERROR'],
  ])('was refused by the network (%s) counts in no window, and is no request any more', async (fault, code) => {
    const phone = newPhone()
    await sim(server, 'PUT faults', { send: { [fault]: 1 } })
    const refused = client.otp.send({ phone })
    await expect(refused).rejects.toMatchObject({ code, details: { outcome: 'not_sent' } })
    await sim(server, 'DELETE faults')
    const { messageId } = await refused.catch((error) => error.details)
    await expect(client.otp.verify({ requestId: messageId, code: '123456' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await client.otp.send({ phone })
    expect(await textsTo(server, sender.containerId, phone)).toHaveLength(1)
  })

  it('was for a phone that is not on the network counts in no window', async () => {
    for (let n = 0; n < 2; n++) {
      await expect(client.otp.send({ phone: '13035550101' })).rejects.toMatchObject({ code: 'NUMBER_NOT_ON_NETWORK' })
    }
  })

  it.each(['timeout_sent', 'timeout_not_sent'])('has an unknown outcome (%s) counts', async (fault) => {
    const phone = newPhone()
    await sim(server, 'PUT faults', { send: { [fault]: 1 } })
    await expect(client.otp.send({ phone })).rejects.toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      details: { outcome: 'unknown' },
    })
    await sim(server, 'DELETE faults')
    await reapMessages(server.services)
    await expect(client.otp.send({ phone })).rejects.toMatchObject(limited('phone', 30))
  })
})

it('counts against the free trial, and a code over it is not stored', async () => {
  const trial = await makeSender(server, { granted: false })
  const theirs = server.client(trial)
  await theirs.alert.batch({ recipients: Array.from({ length: 99 }, (_, n) => `1202444${1000 + n}`), message: 'x' })
  await theirs.otp.send({ phone: newPhone() })
  const phone = newPhone()
  for (let n = 0; n < 2; n++) {
    await expect(theirs.otp.send({ phone })).rejects.toMatchObject({
      code: 'TRIAL_LIMIT_REACHED',
      details: { used: 100, requested: 1 },
    })
  }
})
