import { expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { rollUpCounts } from './counter-store.ts'

const server = await startTestServer({ worker: false })
const organization = await makeOrganization(server)
const client = server.client(organization)
await makeNumber(server, organization)
const none = { sending: 0, sent: 0, delivered: 0, read: 0, failed: 0 }

it('counts by hour and type, whether the counts were rolled up or not', async () => {
  await client.alert.send({ phone: '12025550121', message: 'one' })
  const { messageId } = await client.alert.send({ phone: '12025550121', message: 'two' })
  await rollUpCounts(server.db, 100)
  await client.alert.cancel({ messageId })
  await server.advance(7200)
  await client.alert.send({ phone: '12025550121', message: 'three' })
  const { hours } = await client.messages.hours()
  expect(hours.map(({ hour: _, ...counts }) => counts)).toEqual([
    { type: 'alert', ...none, queued: 1, failed: 1 },
    { type: 'alert', ...none, queued: 1 },
  ])
  const [first, last] = hours.map(({ hour }) => new Date(hour).getTime())
  expect([(last ?? 0) - (first ?? 0), (first ?? 1) % 3_600_000]).toEqual([7_200_000, 0])
  const to = hours[1]?.hour ?? ''
  expect((await client.messages.hours({ to })).hours).toHaveLength(1)
  expect((await client.messages.hours({ type: 'bulk' })).hours).toEqual([])
})

it.each([
  [{ from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' }],
  [{ from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }],
])('refuses the span %j', async (span) => {
  await expect(client.messages.hours(span)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})
