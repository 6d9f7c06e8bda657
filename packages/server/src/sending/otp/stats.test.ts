import { beforeAll, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { codeTo, makeSender, newPhone, startTwoServers } from '#testing/features/otp.ts'
import { makeNumberKey, makeOrganization } from '#testing/make.ts'
import { settled } from '#testing/settled.ts'
import { deleteExpiredDays } from './day-store.ts'
import { deleteExpiredOtps } from './store.ts'

const [server] = await startTwoServers()
const daySeconds = 24 * 60 * 60

// From here time moves only where a test moves it.
beforeAll(() => server.services.clock.freeze())

/** Moves the clock to 30 minutes after midnight UTC, so that minutes do not cross a day. */
async function startOfDay(): Promise<void> {
  const [now] = await rows<{ seconds: number }>(
    server.db,
    `select extract(epoch from service_now())::float8 as seconds`,
  )
  await server.advance(daySeconds - ((now?.seconds ?? 0) % daySeconds) + 1800)
}

const none = { sent: 0, delivered: 0, verified: 0, expired: 0, failed: 0, limited: 0 }

describe('GET /otp/stats', () => {
  it('counts what became of the codes of a day, before and after their requests are deleted', async () => {
    await startOfDay()
    const sender = await makeSender(server)
    const client = server.client(sender)
    const [verified, open] = [newPhone(), newPhone()]
    const { requestId } = await client.otp.send({ phone: verified })
    await client.otp.verify({ requestId, code: await codeTo(server, sender.containerId, verified) })
    await client.otp.send({ phone: open })
    await expect(client.otp.send({ phone: open })).rejects.toMatchObject({ code: 'OTP_RATE_LIMITED' })
    // The network takes a code to this phone, and refuses it later.
    await client.otp.send({ phone: '12025550110' })
    await settled(server.db)

    const { days } = await client.otp.stats({ days: 1 })
    expect(days).toEqual([
      { day: expect.any(String), sent: 2, delivered: 2, verified: 1, expired: 0, failed: 1, limited: 1 },
    ])
    await server.advance(301)
    const ended = { ...days[0], expired: 2 }
    expect((await client.otp.stats({ days: 1 })).days).toEqual([ended])

    await server.advance(2 * daySeconds)
    expect(await deleteExpiredOtps(server.db)).toBeGreaterThanOrEqual(3)
    const later = await client.otp.stats()
    expect(later.days).toHaveLength(7)
    expect(later.days[4]).toEqual(ended)
    expect(later.days[6]).toMatchObject(none)
    expect(later.days.map(({ day }) => day)).toEqual(later.days.map(({ day }) => day).sort())
  })

  it('counts each organization alone, all its numbers, and not for the key of one', async () => {
    await startOfDay()
    const sender = await makeSender(server)
    const other = server.client(await makeOrganization(server))
    await server.client(sender).otp.send({ phone: newPhone() })
    await settled(server.db)
    expect((await other.otp.stats({ days: 1 })).days).toEqual([{ day: expect.any(String), ...none }])
    expect((await server.client(sender).otp.stats({ days: 1 })).days).toMatchObject([{ sent: 1 }])
    const apiKey = await makeNumberKey(server, sender, sender.containerId)
    await expect(server.client({ apiKey }).otp.stats()).rejects.toMatchObject({ status: 403 })
  })

  it('keeps the days that can be asked for, and deletes older ones', async () => {
    await startOfDay()
    const { organizationId } = await makeSender(server)
    await rows(
      server.db,
      `insert into otp_days (organization_id, day, verified)
       select :organizationId, (service_now() at time zone 'UTC')::date - past, 1
         from unnest('{30, 31, 32, 90}'::int[]) as past`,
      { organizationId },
    )
    await deleteExpiredDays(server.db)
    const [kept] = await rows<{ count: number }>(
      server.db,
      'select count(*)::int as count from otp_days where organization_id = :organizationId',
      { organizationId },
    )
    expect(kept?.count).toBe(2)
  })
})
