import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
await server.services.clock.freeze()
const organization = await makeOrganization(server)
const client = server.client(organization)
await makeNumber(server, organization)

it('counts what a campaign sent by minute, and why messages failed', async () => {
  const recipients = Array.from({ length: 6 }, (_, n) => ({ phone: `1202555013${n}` }))
  const { campaign } = await client.campaigns.create({ name: 'News', template: 'hi', recipients })
  const { id } = campaign
  await client.campaigns.send({ id })
  expect(await client.campaigns.progress({ id })).toMatchObject({ minutes: [], reasons: [] })
  await rows(
    server.db,
    `update messages m set status = s.status, error_code = s.code,
            sent_at = case when s.status <> 'failed' then timestamptz '2026-03-01 12:00:30Z' + s.minutes * interval
              '1 minute' end,
            failed_at = case when s.status = 'failed' then timestamptz '2026-03-01 12:00:30Z' + s.minutes * interval
              '1 minute' end
       from (values ('12025550130', 'sent', null, 0), ('12025550131', 'read', null, 0),
           ('12025550132', 'delivered', null, 2),
                    ('12025550133', 'failed', 'GATEWAY_ERROR', 2), ('12025550134', 'failed', 'GATEWAY_ERROR', 2))
         as s(recipient, status, code, minutes)
      where m.campaign_id = :id and m.recipient = s.recipient`,
    { id },
  )
  expect(await client.campaigns.progress({ id })).toMatchObject({
    minutes: [
      { at: '2026-03-01T12:00:00.000Z', sent: 2, delivered: 1, read: 1, failed: 0 },
      { at: '2026-03-01T12:02:00.000Z', sent: 1, delivered: 1, read: 0, failed: 2 },
    ],
    reasons: [{ errorCode: 'GATEWAY_ERROR', count: 2 }],
  })
  const failed = await client.campaigns.recipients({ id, errorCode: 'GATEWAY_ERROR' })
  expect(failed.recipients.map(({ phone, errorCode }) => [phone, errorCode])).toEqual([
    ['12025550133', 'GATEWAY_ERROR'],
    ['12025550134', 'GATEWAY_ERROR'],
  ])
  expect((await client.campaigns.recipients({ id, errorCode: 'CANCELLED' })).total).toBe(0)
  const other = server.client(await makeOrganization(server))
  await expect(other.campaigns.progress({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
