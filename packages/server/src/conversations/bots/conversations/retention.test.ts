import { limits } from '@msgctl/contract'
import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeAssistant } from '#testing/features/assistant.ts'
import { queryPlan } from '#testing/query-plan.ts'
import { startTestServer } from '#testing/start-server.ts'
import { deleteEndedConversations } from './retention-store.ts'
import { endQuiet } from './turn-store.ts'

const server = await startTestServer()
const { db } = server
const day = 86_400

it('deletes conversations long after they ended, with their turns and reviews, and none that is open', async () => {
  const { customer, client, botId } = await makeAssistant(server)
  const ended = customer()
  const unknown = 'something that the assistant does not know'
  await ended.says(unknown)
  expect((await client.bots.reviews({ botId })).reviews).toMatchObject([{ question: unknown }])
  await server.advance(day + 60)
  await endQuiet(db)
  const open = customer()
  await open.says('hello')
  const conversations = async () => (await client.bots.conversations({ botId })).total
  expect(await conversations()).toBe(2)
  const days = limits.bots.conversationDays
  await rows(
    db,
    `update bot_conversations set closed_at = closed_at - :days::int * interval '1 day' + interval '1 hour'`,
    {
      days,
    },
  )
  expect(await deleteEndedConversations(db, days)).toBe(0)
  await rows(db, `update bot_conversations set closed_at = closed_at - interval '2 hours'`)
  expect(await deleteEndedConversations(db, days)).toBe(1)
  expect(await deleteEndedConversations(db, days)).toBe(0)
  expect(await conversations()).toBe(1)
  expect((await client.bots.reviews({ botId })).reviews.map(({ question }) => question)).not.toContain(unknown)
})

it('finds them by an index', async () => {
  const { botId, organization, containerId } = await makeAssistant(server)
  await rows(
    db,
    `insert into bot_conversations (id, bot_id, organization_id, container_id, contact_id, lang, started_at, last_at,
       closed_at)
     select gen_random_uuid(), :botId, :organizationId, :containerId, gen_random_uuid(), 'en', service_now(),
            service_now(), service_now()
       from generate_series(1, 3000)`,
    { botId, organizationId: organization.organizationId, containerId },
  )
  await rows(db, 'vacuum analyze bot_conversations')
  const plan = await queryPlan(db, (explaining) => deleteEndedConversations(explaining, 1))
  expect(plan).toContain('Index Scan bot_conversations')
})
