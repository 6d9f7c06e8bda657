import { randomUUID } from 'node:crypto'
import { rows } from '#platform/db/db.ts'
import type { MadeOrganization } from '#testing/make.ts'
import type { TestServer } from '#testing/start-server.ts'

/** What an organization has of assistants, by the kind of its ids. */
export interface TenantBot {
  readonly bot: string
  readonly answer: string
  readonly product: string
  readonly conversation: string
  readonly review: string
}

/** Makes an assistant with a shop, one of everything, and this many reviews and orders, which are counted from 1001. */
export async function makeTenantBot(
  server: Pick<TestServer, 'db' | 'client'>,
  organization: MadeOrganization,
  containerId: string,
  contactId: string,
  many: number,
): Promise<TenantBot> {
  const client = server.client(organization)
  const { bot } = await client.bots.create({
    name: 'Desk',
    containerIds: [containerId],
    shop: { enabled: true, currency: 'EUR' },
  })
  const botId = bot.id
  const { answer } = await client.bots.addAnswer({ botId, questions: ['When do you open?'], answer: 'At 9.' })
  const { product } = await client.bots.addProduct({ botId, name: 'Tea', price: 2 })
  const conversation = randomUUID()
  const { organizationId } = organization
  await rows(
    server.db,
    `insert into bot_conversations (id, bot_id, organization_id, container_id, contact_id, lang, started_at, last_at)
     values (:conversation, :botId, :organizationId, :containerId, :contactId, 'en', service_now(), service_now())`,
    { conversation, botId, organizationId, containerId, contactId },
  )
  const reviews = await rows<{ id: string }>(
    server.db,
    `insert into bot_reviews (id, bot_id, organization_id, conversation_id, question, lang, created_at)
     select gen_random_uuid(), :botId, :organizationId, :conversation, 'Question ' || n, 'en', service_now()
       from generate_series(1, :many::int) n returning id`,
    { conversation, botId, organizationId, many },
  )
  await rows(
    server.db,
    `insert into bot_orders (id, bot_id, organization_id, conversation_id, container_id, contact_id, number, status,
                             delivery_fee, total, currency, history, placed_at, updated_at)
     select gen_random_uuid(), :botId, :organizationId, :conversation, :containerId, :contactId, 1000 + n, 'placed',
            0, 200, 'EUR', '[]', service_now(), service_now() from generate_series(1, :many::int) n`,
    { conversation, botId, organizationId, containerId, contactId, many },
  )
  await rows(
    server.db,
    `insert into bot_order_lines (order_id, place, organization_id, product_id, name, price, quantity)
     select id, 0, organization_id, :product, 'Tea', 200, 1 from bot_orders where bot_id = :botId`,
    { botId, product: product.id },
  )
  await rows(
    server.db,
    `insert into bot_order_phones (bot_id, phone, organization_id, created_at)
     values (:botId, '12025550100', :organizationId, service_now())`,
    { botId, organizationId },
  )
  await rows(server.db, 'insert into order_numbers values (:organizationId, :last)', {
    organizationId,
    last: 1000 + many,
  })
  return { bot: botId, answer: answer.id, product: product.id, conversation, review: reviews[0]?.id ?? '' }
}
