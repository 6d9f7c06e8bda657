import { expect, it } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

it('sends at its time by itself, once, and reports how far the last message came', async () => {
  const server = await startTestServer()
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const { reminders } = server.client(organization)
  const sendAt = new Date(server.services.clock.now().getTime() + 3_600_000).toISOString()
  const text = { phone: '12025550100', message: 'Dear {{name}}', variables: { name: 'Jane' } }
  await reminders.create({ ...text, sendAt, repeat: 'weekly' })
  await server.advance(3601)
  const list = await eventually(
    () => reminders.list(),
    ({ reminders: [reminder] }) => reminder?.lastMessageStatus === 'read',
  )
  expect(list.reminders).toMatchObject([{ status: 'scheduled', sendCount: 1, firstSendAt: sendAt }])
  const week = 7 * 24 * 3_600_000
  expect(Date.parse(list.reminders[0]?.sendAt ?? '') - Date.parse(sendAt)).toBe(week)
  const arrived = await transcriptOf(server, containerId)
  expect(arrived).toMatchObject([{ to: '12025550100', content: { kind: 'text', text: 'Dear Jane' } }])
})
