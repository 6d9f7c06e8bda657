import { beforeAll, describe, expect, it } from 'vitest'
import { codeTo, makeSender, newPhone, startTwoServers, wrongFor } from '#testing/features/otp.ts'
import { makeNumber, makeNumberKey } from '#testing/make.ts'

const [server, second] = await startTwoServers()
const sender = await makeSender(server)
const client = server.client(sender)

// From here time moves only where a test moves it.
beforeAll(() => server.services.clock.freeze())

/** Sends a code and reads it from the phone. */
async function sent() {
  // The organization may send 60 a minute.
  await server.advance(60)
  const phone = newPhone()
  const { requestId } = await client.otp.send({ phone })
  return { requestId, phone, code: await codeTo(server, sender.containerId, phone) }
}

function verificationOf({ requestId, code }: { readonly requestId: string; readonly code: string }) {
  return { requestId, code }
}

const wrong = (attemptsRemaining: number) => ({
  code: 'OTP_INVALID_CODE',
  status: 400,
  details: { attemptsRemaining },
})

describe('a code', () => {
  it('that is right is verified once, whichever process is called', async () => {
    const { requestId, phone, code } = await sent()
    expect(await second.client(sender).otp.verify({ requestId, code })).toEqual({
      success: true,
      verified: true,
      phone,
    })
    await expect(client.otp.verify({ requestId, code })).rejects.toMatchObject({
      code: 'OTP_ALREADY_VERIFIED',
      status: 400,
    })
    await expect(client.otp.verify({ requestId, code: wrongFor(code) })).rejects.toMatchObject({
      code: 'OTP_ALREADY_VERIFIED',
    })
  })

  it('that is wrong uses one of three tries; after them not even the right one is taken', async () => {
    const { requestId, code } = await sent()
    for (const left of [2, 1, 0]) {
      await expect(client.otp.verify({ requestId, code: wrongFor(code) })).rejects.toMatchObject(wrong(left))
    }
    for (const late of [code, wrongFor(code)]) {
      await expect(client.otp.verify({ requestId, code: late })).rejects.toMatchObject({
        code: 'OTP_MAX_ATTEMPTS',
        status: 429,
      })
    }
  })

  it('may be right at the third try', async () => {
    const { requestId, code } = await sent()
    for (const left of [2, 1]) {
      await expect(client.otp.verify({ requestId, code: wrongFor(code) })).rejects.toMatchObject(wrong(left))
    }
    expect(await client.otp.verify({ requestId, code })).toMatchObject({ verified: true })
  })

  it.each(['12', '123456789'])('of a length that none has ("%s") is refused without a try', async (typed) => {
    const { requestId, code } = await sent()
    await expect(client.otp.verify({ requestId, code: typed })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(client.otp.verify({ requestId, code: wrongFor(code) })).rejects.toMatchObject(wrong(2))
  })

  it('works for 300 s and not a millisecond longer', async () => {
    const first = await sent()
    await server.advance(300)
    expect(await client.otp.verify(verificationOf(first))).toMatchObject({ verified: true })
    const late = await sent()
    await server.advance(300.001)
    await expect(client.otp.verify(verificationOf(late))).rejects.toMatchObject({ code: 'OTP_EXPIRED', status: 410 })
  })

  it('that expired says so before the tries, and one that was verified says that first', async () => {
    const used = await sent()
    for (let n = 0; n < 3; n++)
      await client.otp.verify({ requestId: used.requestId, code: wrongFor(used.code) }).catch(() => {})
    const verified = await sent()
    await client.otp.verify(verificationOf(verified))
    await server.advance(301)
    await expect(client.otp.verify(verificationOf(used))).rejects.toMatchObject({ code: 'OTP_EXPIRED' })
    await expect(client.otp.verify(verificationOf(verified))).rejects.toMatchObject({ code: 'OTP_ALREADY_VERIFIED' })
  })

  it('stays good when a newer one is sent to the same phone', async () => {
    const older = await sent()
    await server.advance(30)
    const newer = await client.otp.send({ phone: older.phone })
    const code = await codeTo(server, sender.containerId, older.phone)
    await client.otp.verify(verificationOf(older))
    await client.otp.verify({ requestId: newer.requestId, code })
  })
})

describe('guesses at once from two services', () => {
  const clients = [client, second.client(sender)]

  it('of 100 at most three are compared', async () => {
    const { requestId, code } = await sent()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, n) => clients[n % 2]?.otp.verify({ requestId, code: wrongFor(code, n + 1) })),
    )
    const errors = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : null))
    const compared = errors.filter((error) => error?.code === 'OTP_INVALID_CODE')
    expect(compared.map(({ details }) => details.attemptsRemaining).sort()).toEqual([0, 1, 2])
    expect(errors.filter((error) => error?.code === 'OTP_MAX_ATTEMPTS')).toHaveLength(97)
    await expect(client.otp.verify({ requestId, code })).rejects.toMatchObject({ code: 'OTP_MAX_ATTEMPTS' })
  })

  it('of 20 that are right one is verified', async () => {
    const { requestId, code } = await sent()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => clients[n % 2]?.otp.verify({ requestId, code })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      // A request before the verification, but after three tries, is refused because of the tries.
      if (outcome.status === 'rejected') {
        expect(['OTP_ALREADY_VERIFIED', 'OTP_MAX_ATTEMPTS']).toContain(outcome.reason.code)
      }
    }
  })
})

describe('whose request it is', () => {
  const notFound = { code: 'NOT_FOUND', status: 404 }

  it('one that is unknown, or of another organization, is not found, and no try of it is used', async () => {
    const { requestId, code } = await sent()
    const other = await makeSender(server)
    const theirs = server.client(other)
    const errors = []
    for (const id of [requestId, crypto.randomUUID()]) {
      errors.push(await theirs.otp.verify({ requestId: id, code }).catch((error) => error))
    }
    for (const error of errors) expect(error).toMatchObject({ ...notFound, message: errors[0].message })
    await expect(client.otp.verify({ requestId, code: wrongFor(code) })).rejects.toMatchObject(wrong(2))
  })

  it('a number’s key sends through its own number and verifies only its own requests', async () => {
    const own = await makeNumber(server, sender)
    const keyed = server.client({ apiKey: await makeNumberKey(server, sender, own) })
    const foreign = await sent()
    await expect(keyed.otp.verify(verificationOf(foreign))).rejects.toMatchObject(notFound)
    const phone = newPhone()
    const { requestId } = await keyed.otp.send({ phone, containerId: sender.containerId })
    const code = await codeTo(server, own, phone)
    expect(await keyed.otp.verify({ requestId, code })).toMatchObject({ verified: true, phone })
    expect(await client.otp.verify(verificationOf(foreign))).toMatchObject({ verified: true })
  })
})
