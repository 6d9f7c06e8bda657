import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { storeMessages } from '#testing/stored-messages.ts'

const server = await startTestServer({ worker: false })
await server.services.clock.freeze()
const { db } = server
const organization = await makeOrganization(server)
const { organizationId } = organization
const containerId = await makeNumber(server, organization)
const client = server.client(organization)
const reminderId = '01a1a0be-0410-7d5e-8f60-8192a3b4c5d7'
const campaignId = '01a1a0be-0410-7d5e-8f60-8192a3b4c5d6'
await storeMessages(db, organizationId, { count: 1200, spacingMs: 1000, content: 'text {n}' })
await rows(
  db,
  `with placed as (select id, row_number() over (order by created_at desc, id desc) - 1 as n from messages
                    where organization_id = :organizationId)
   update messages m set container_id = case when n % 2 = 0 then :containerId::uuid end,
   recipient = '1404555' || lpad(n::text, 4, '0'),
          campaign_id = case when n % 5 = 0 then :campaignId::uuid end,
          client_reference = case when n % 400 = 0 then 'order 7' end,
          status = case when n % 300 = 1 then 'failed' else status end,
          error_code = case when n % 300 = 1 then 'GATEWAY_ERROR' end,
          reminder_id = case when n % 500 = 3 then :reminderId::uuid end
     from placed where placed.id = m.id`,
  { organizationId, containerId, campaignId, reminderId },
)
await rows(
  db,
  `insert into reminders (id, organization_id, owner_id, phone, message, variables, repeat, time_zone, status, send_at,
                          first_send_at, due_at, created_at, updated_at)
   values (:reminderId, :organizationId, gen_random_uuid(), '1', 'x', '{}', 'none', 'UTC', 'done', now(), now(), now(),
       now(), now())`,
  { organizationId, reminderId },
)
await rows(
  db,
  `insert into reminder_sends (reminder_id, schedule_version, occurrence_at, message_id)
   select reminder_id, 1, created_at, id from messages where reminder_id = :reminderId`,
  { reminderId },
)
const at = (secondsAgo: number) => new Date(server.services.clock.now().getTime() - secondsAgo * 1000).toISOString()
const numbers = (count: number, pick: (n: number) => boolean) => Array.from({ length: count }, (_, n) => n).filter(pick)

describe('GET /messages filters by', () => {
  it.each<[string, object, number[]]>([
    ['a number', { containerId }, numbers(1200, (n) => n % 2 === 0)],
    ['a campaign', { campaignId }, numbers(1200, (n) => n % 5 === 0)],
    ['a reference', { clientReference: 'order 7' }, [0, 400, 800]],
    ['a reminder', { reminderId }, numbers(1200, (n) => n % 500 === 3)],
    ['a recipient', { recipient: '+1 404 555 0007' }, [7]],
    ['a search of a recipient', { recipient: '14045550007', search: 'text' }, [7]],
    ['a reason', { errorCode: 'GATEWAY_ERROR' }, numbers(1200, (n) => n % 300 === 1)],
    [
      'a reason in a search',
      { errorCode: 'GATEWAY_ERROR', search: 'text 1' },
      numbers(1200, (n) => n % 300 === 1 && `${n}`.startsWith('1')),
    ],
    ['a reason that none has', { errorCode: 'CANCELLED' }, []],
    ['a span', { since: at(20), until: at(10) }, numbers(1200, (n) => n > 10 && n <= 20)],
    ['a campaign and a number', { campaignId, containerId, status: 'delivered' }, numbers(1200, (n) => n % 10 === 0)],
    [
      'a search in a campaign',
      { campaignId, search: 'text 11' },
      numbers(1200, (n) => n % 5 === 0 && `${n}`.startsWith('11')),
    ],
    ['since, with more than are counted', { since: at(5000) }, numbers(1200, () => true)],
  ])('%s, newest first, with a total', async (_what, filter, found) => {
    const page = await client.messages.list({ ...filter, limit: 100 })
    expect(page.messages.map(({ recipient }) => Number(recipient.slice(7)))).toEqual(found.slice(0, 100))
    const bounded = found.length > 1000 ? { total: 1000, totalIsExact: false } : { total: found.length }
    expect(page).toMatchObject(bounded)
    const all: number[] = []
    for await (const { recipient } of client.messages.list.all({ ...filter, limit: 100 }))
      all.push(Number(recipient.slice(7)))
    expect(all).toEqual(found)
  })

  it('does not lead beyond the rows that are counted', async () => {
    await expect(client.messages.list({ since: at(5000), page: 21 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { page: [expect.stringContaining('follow nextCursor')] },
    })
  })
})
