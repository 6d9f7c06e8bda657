import { beforeAll, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeSender, newPhone, type Sender, textsTo, withoutKeys } from '#testing/features/otp.ts'
import { startTestServer } from '#testing/start-server.ts'
import { lockWindows } from './store.ts'

const server = await startTestServer()

// From here time moves only where a test moves it.
beforeAll(() => server.services.clock.freeze())

describe('codes of several organizations at one moment', () => {
  it('leave the key of one that is refused for its next try', async () => {
    const [refused, other] = [await makeSender(server), await makeSender(server)]
    const phone = newPhone()
    const send = (one: Sender, to: string, key: string) =>
      server.client(one).otp.send({ phone: to }, { idempotencyKey: key })
    await send(refused, phone, 'first')
    const [again] = await Promise.allSettled([send(refused, phone, 'again'), send(other, newPhone(), 'again')])
    expect(again).toMatchObject({ status: 'rejected', reason: { code: 'OTP_RATE_LIMITED' } })
    await server.advance(30)
    const later = await send(refused, phone, 'again')
    expect((await send(refused, phone, 'again')).requestId).toBe(later.requestId)
    expect(await textsTo(server, refused.containerId, phone)).toHaveLength(2)
  })

  it('wait for what is counted of their own organization', async () => {
    const held = await makeSender(server)
    const holding = await server.db.transaction()
    await lockWindows(holding, held.organizationId)
    const waiting = withoutKeys(server, held).otp.send({ phone: newPhone() })
    const outcome = await Promise.race([
      waiting,
      server.client(await makeSender(server)).otp.send({ phone: newPhone() }),
    ])
    await holding.rollback()
    expect(outcome.requestId).not.toBe((await waiting).requestId)
  })

  it('get a connection to the database however many of one organization wait for each other', async () => {
    const [held, free] = [await makeSender(server), await makeSender(server)]
    const holding = await server.db.transaction()
    await lockWindows(holding, held.organizationId)
    // Each waits in a transaction of its own; these are more than the service has connections.
    const waiting = Promise.allSettled(
      Array.from({ length: 30 }, () => server.client(held).otp.send({ phone: newPhone() })),
    )
    const waitingForLock = () =>
      rows(server.db, "select 1 as waits from pg_locks where locktype = 'advisory' and not granted")
    await eventually(waitingForLock, (found) => found.length > 0)
    expect((await server.client(free).otp.send({ phone: newPhone() })).success).toBe(true)
    await holding.rollback()
    expect((await waiting).every(({ status }) => status === 'fulfilled')).toBe(true)
  })

  it('do not fail with one whose row the database refuses', async () => {
    const senders = [await makeSender(server), await makeSender(server), await makeSender(server)]
    const phones = senders.map(newPhone)
    await rows(server.db, `alter table otp_requests add constraint refused check (phone <> '${phones[1]}')`)
    const outcomes = await Promise.allSettled(
      senders.map((one, n) => withoutKeys(server, one).otp.send({ phone: String(phones[n]) })),
    )
    await rows(server.db, 'alter table otp_requests drop constraint refused')
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})
