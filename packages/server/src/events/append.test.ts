import { describe, expect, it } from 'vitest'
import { rows, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { makeTenant } from '#testing/features/http-edge.ts'
import { testServices } from '#testing/services.ts'
import { appendEvents, type NewEvent } from './append.ts'

const services = await testServices()
const { db, clock } = services

function handoff(organizationId: string, question: string): NewEvent {
  const ids = { botId: newId(), conversationId: newId() }
  const data = { ...ids, contactPhone: '12025550100', question, timestamp: '2026-03-01T12:00:00.000Z' }
  return { organizationId, event: 'bot.handoff', data }
}

function needsScan(organizationId: string): NewEvent {
  const data = { status: 'SCAN_QR_CODE', containerId: newId(), numberPhone: null, session: 'one' } as const
  return { organizationId, event: 'session.needs_scan', data }
}

const append = (...events: NewEvent[]) => transaction(db, (trx) => appendEvents(trx, events))

async function questions(organizationId: string): Promise<[number, string][]> {
  const found = await rows<{ position: number; question: string }>(
    db,
    `select position, data ->> 'question' as question from events where organization_id = :organizationId
      order by position`,
    { organizationId },
  )
  return found.map(({ position, question }) => [position, question])
}

async function kindsOf(organizationId: string): Promise<string[]> {
  const found = await rows<{ event: string }>(
    db,
    'select event from events where organization_id = :organizationId order by position',
    { organizationId },
  )
  return found.map(({ event }) => event)
}

describe('appending events', () => {
  it('numbers the events of each organization densely, in the order given', async () => {
    const [a, b] = [await makeTenant(db), await makeTenant(db)]
    await append(
      handoff(b.organizationId, 'b1'),
      handoff(a.organizationId, 'a1'),
      handoff(b.organizationId, 'b2'),
      handoff(a.organizationId, 'a2'),
    )
    await append(handoff(a.organizationId, 'a3'))
    expect(await questions(a.organizationId)).toEqual([
      [1, 'a1'],
      [2, 'a2'],
      [3, 'a3'],
    ])
    expect(await questions(b.organizationId)).toEqual([
      [1, 'b1'],
      [2, 'b2'],
    ])
  })

  it('keeps the message, the service time and a time-ordered id', async () => {
    const { organizationId } = await makeTenant(db)
    const messageId = newId()
    await append({ ...handoff(organizationId, 'when'), messageId })
    const [event] = await rows<{ id: string; messageId: string; createdAt: Date }>(
      db,
      'select id, message_id, created_at from events where organization_id = :organizationId',
      { organizationId },
    )
    expect(event).toMatchObject({ messageId, createdAt: clock.now() })
    expect(event?.id[14]).toBe('7')
  })

  it('leaves nothing and no gap behind when the transaction fails', async () => {
    const { organizationId } = await makeTenant(db)
    const failing = transaction(db, async (trx) => {
      await appendEvents(trx, [handoff(organizationId, 'lost')])
      throw new Error('the change failed')
    })
    await expect(failing).rejects.toThrow('the change failed')
    await append(handoff(organizationId, 'kept'))
    expect(await questions(organizationId)).toEqual([[1, 'kept']])
  })

  it('plans a delivery only while a webhook address is set', async () => {
    const [without, removed, set] = [await makeTenant(db), await makeTenant(db), await makeTenant(db)]
    for (const [{ organizationId }, url] of [
      [removed, null],
      [set, 'https://example.com/'],
    ] as const)
      await rows(
        db,
        `insert into webhooks (organization_id, url, updated_at) values (:organizationId, :url, service_now())`,
        { organizationId, url },
      )
    await append(...[without, removed, set].map(({ organizationId }) => handoff(organizationId, 'who')))
    const planned = await rows<{ organizationId: string; id: string; eventId: string; status: string; due: Date }>(
      db,
      `select organization_id, id, event_id, status, next_attempt_at as due from webhook_deliveries`,
    )
    expect(planned).toHaveLength(1)
    expect(planned[0]).toMatchObject({ organizationId: set.organizationId, status: 'pending', due: clock.now() })
    expect(planned[0]?.id).toBe(planned[0]?.eventId)
  })

  it.each<[string, Parameters<typeof makeTenant>[1], number | undefined, string[]]>([
    ['Developer', ['developer'], 7, ['session.needs_scan', 'bot.handoff']],
    ['Assistant', ['assistant'], 7, ['bot.handoff']],
    ['Shop', ['shop'], 7, ['bot.handoff']],
    ['Notify', ['notify'], 7, []],
    ['no product', [], 7, []],
    ['Developer on trial', [{ product: 'developer', granted: false }], 1, ['session.needs_scan', 'bot.handoff']],
    ['Developer after its trial', [{ product: 'developer', granted: false }], -1, []],
    ['Developer, granted, after the trial', ['developer'], -1, ['session.needs_scan', 'bot.handoff']],
    ['Developer, paused', [{ product: 'developer', paused: true }], 7, []],
    ['Shop beside a paused Developer', ['shop', { product: 'developer', paused: true }], 7, ['bot.handoff']],
  ])('stores for %s only what it may receive', async (_who, products, trialDaysLeft, kinds) => {
    const { organizationId } = await makeTenant(db, products, trialDaysLeft)
    await append(needsScan(organizationId), handoff(organizationId, 'who'))
    expect(await kindsOf(organizationId)).toEqual(kinds)
  })

  it('replaces what the database cannot hold instead of failing the change', async () => {
    const { organizationId } = await makeTenant(db)
    await append(handoff(organizationId, 'a\0b\ud800c😀'))
    expect(await questions(organizationId)).toEqual([[1, 'a\ufffdb\ufffdc😀']])
  })

  it('refuses a payload that the contract does not allow, where the contract is demanded', async () => {
    const { organizationId } = await makeTenant(db)
    const wrong = { ...needsScan(organizationId), data: { status: 'WORKING' } } as unknown as NewEvent
    await expect(append(wrong)).rejects.toThrow('The contract does not allow this data of session.needs_scan')
    expect(await kindsOf(organizationId)).toEqual([])
  })

  it('does not deadlock when many transactions write for the same organizations in different orders', async () => {
    const tenants = await Promise.all([0, 1, 2, 3].map(() => makeTenant(db)))
    const ids = tenants.map(({ organizationId }) => organizationId)
    await Promise.all(
      Array.from({ length: 20 }, (_, turn) => {
        const order = turn % 2 ? ids : ids.toReversed()
        // Without the retry of transaction(): a deadlock would fail the test.
        return db.transaction((trx) =>
          appendEvents(
            trx,
            order.map((id) => handoff(id, `${turn}`)),
          ),
        )
      }),
    )
    for (const id of ids) expect((await questions(id)).map(([position]) => position)).toEqual(range(1, 20))
  })
})

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}
