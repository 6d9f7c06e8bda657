import { expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { UNSAFE_DISABLE_PACING: undefined } })
const organization = await makeOrganization(server)
const client = server.client(organization)
const first = await makeNumber(server, organization)
const second = await makeNumber(server, organization)

const send = async (containerId: string, message: string, priority: 'high' | 'normal' | 'low' = 'normal') =>
  (await client.alert.send({ phone: '12025550121', message, containerId, priority })).messageId

it('lists what waits on each number, in the order in which it leaves', async () => {
  const normal = [await send(first, 'one'), await send(first, 'two')]
  const low = await send(first, 'later', 'low')
  const high = await send(first, 'now', 'high')
  const recipients = [{ phone: '12025550130' }, { phone: '12025550131' }]
  const { campaign } = await client.campaigns.create({ name: 'News', template: 'x'.repeat(500), recipients })
  await client.campaigns.send({ id: campaign.id, containerId: second })
  const { lanes } = await client.messages.queue()
  expect(lanes.map(({ containerId }) => containerId)).toEqual([first, second])
  expect(lanes[0]?.messages.map(({ id }) => id)).toEqual([high, ...normal, low])
  expect(lanes[0]?.messages[0]).toMatchObject({ content: 'now', recipient: '12025550121', waitsFor: null })
  expect(lanes[0]?.messages[1]).toMatchObject({ waitsFor: 'pace', estimated: false, status: 'queued' })
  const bulk = lanes[1]?.messages ?? []
  expect(bulk).toMatchObject([
    { campaignId: campaign.id, estimated: true, content: 'x'.repeat(200) },
    { campaignId: campaign.id, estimated: true },
  ])
  const [one, two] = bulk.map(({ leavesAt }) => new Date(leavesAt ?? 0).getTime())
  expect((two ?? 0) - (one ?? 0)).toBe(5000)

  const { lanes: some } = await client.messages.queue({ containerId: first, limit: 2 })
  expect(some.map(({ messages }) => messages.map(({ id }) => id))).toEqual([[high, normal[0]]])
  await client.numbers.stop({ containerId: second })
  const stopped = await client.messages.queue({ containerId: second })
  expect(stopped.lanes[0]?.messages[0]).toMatchObject({ leavesAt: null, waitsFor: 'number' })
})

it('shows no number of another organization', async () => {
  const other = server.client(await makeOrganization(server))
  expect((await other.messages.queue()).lanes).toEqual([])
  await expect(other.messages.queue({ containerId: first })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
