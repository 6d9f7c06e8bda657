import { insertReports } from '#networks/gateway/inbox/store.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import type { TestServer } from '#testing/start-server.ts'
import type { PoisonKind } from './poison-item.ts'

/** An organization with a number, of whose link the network has nothing to report any more. */
export async function makeSender(server: TestServer) {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  await rows(server.db, 'delete from sim_events where container_id = :containerId', { containerId })
  return { ...organization, containerId, client: server.client(organization) }
}

/** Returns the column `state` of the one row that a statement finds. */
export async function stateOf(
  { db }: Pick<TestServer, 'db'>,
  sql: string,
  bindings: Record<string, unknown>,
): Promise<string> {
  const [found] = await rows<{ state: string }>(db, sql, bindings)
  return found?.state ?? 'none'
}

const inAMinute = ({ services }: TestServer) => new Date(services.clock.now().getTime() + 60_000).toISOString()
const recipient = '+12025550100'

const messages: PoisonKind = {
  kind: 'messages',
  async make(server) {
    const { client, organizationId } = await makeSender(server)
    const { messageId } = await client.alert.send({ phone: recipient, message: 'hello' })
    return { item: messageId, owner: organizationId }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when gateway_message_id is not null then 'sent' when lease_token is null then status
         else 'claimed' end as state
         from messages where id = :item`,
      { item },
    ),
  done: 'sent',
  setAside: 'sending',
}

const deliveries: PoisonKind = {
  kind: 'deliveries',
  async make(server) {
    const organization = await makeOrganization(server)
    const client = server.client(organization)
    await client.webhook.set({ webhookUrl: (await startReceiver()).url })
    await client.webhook.test()
    const { organizationId } = organization
    const of = 'select id as state from webhook_deliveries where organization_id = :organizationId'
    return { item: await stateOf(server, of, { organizationId }), owner: organizationId }
  },
  state: (server, { item }) =>
    stateOf(server, 'select status as state from webhook_deliveries where id = :item', { item }),
  done: 'delivered',
  setAside: 'dropped',
}

const reminders: PoisonKind = {
  kind: 'reminders',
  async make(server) {
    const { client, organizationId } = await makeSender(server)
    const sendAt = inAMinute(server)
    const { reminder } = await client.reminders.create({ phone: recipient, message: 'hello', sendAt, repeat: 'daily' })
    return { item: reminder.id, owner: organizationId }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when status = 'scheduled' and send_count = 1 then 'repeated' else status end as state
         from reminders where id = :item`,
      { item },
    ),
  done: 'repeated',
  setAside: 'failed',
}

const campaignStarts: PoisonKind = {
  kind: 'campaign_starts',
  async make(server) {
    const { client, organizationId } = await makeSender(server)
    const recipients = [{ phone: recipient }]
    const scheduledAt = inAMinute(server)
    const { campaign } = await client.campaigns.create({ name: 'Campaign', template: 'hello', recipients, scheduledAt })
    return { item: campaign.id, owner: organizationId }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when status in ('sending', 'completed') then 'started' else status end as state
         from campaigns where id = :item`,
      { item },
    ),
  done: 'started',
  setAside: 'draft',
}

/** What a person writes arrives as a row of one table, and is stored in the chat. */
const isInChat = `exists (select from chat_messages where organization_id = :owner)`

const simulatedEvents: PoisonKind = {
  kind: 'simulated_events',
  async make(server) {
    const { containerId, organizationId } = await makeSender(server)
    await sim(server, 'POST inbound', { containerId, from: recipient, text: 'hello' })
    const item = await stateOf(
      server,
      `select min(id)::text as state from sim_events where container_id = :containerId`,
      { containerId },
    )
    return { item, owner: organizationId }
  },
  state: (server, { item, owner }) =>
    stateOf(
      server,
      `select case when ${isInChat} then 'received'
                   when exists (select from sim_events where id = :item::bigint) then 'waiting'
                     else 'deleted' end as state`,
      { item, owner },
    ),
  done: 'received',
  setAside: 'deleted',
}

const reports: PoisonKind = {
  kind: 'reports',
  async make(server) {
    const { containerId, organizationId } = await makeSender(server)
    const at = server.services.clock.now().toISOString()
    const from = { kind: 'phone', digits: recipient.slice(1) }
    const message = { networkId: crypto.randomUUID(), from, senderName: '', type: 'chat', text: 'hello', raw: null }
    const body = Buffer.from(JSON.stringify({ kind: 'message.in', at, message }))
    const report = { host: 'a', eventId: crypto.randomUUID(), containerId, organizationId, body }
    await transaction(server.db, (trx) => insertReports(trx, 'direct', [report]))
    const of = 'select id::text as state from gateway_inbox where container_id = :containerId'
    return { item: await stateOf(server, of, { containerId }), owner: organizationId }
  },
  state: (server, { item, owner }) =>
    stateOf(
      server,
      `select case when ${isInChat} then 'received'
                   when exists (select from gateway_inbox where id = :item::bigint
                       and set_aside_at is null) then 'waiting'
                   else 'set aside' end as state`,
      { item, owner },
    ),
  done: 'received',
  setAside: 'set aside',
}

const numbers: PoisonKind = {
  kind: 'numbers',
  async make(server) {
    const { containerId, organizationId } = await makeSender(server)
    await rows(server.db, 'update numbers set last_healthy_at = null where id = :containerId', { containerId })
    return { item: containerId, owner: organizationId }
  },
  state: (server, { item }) =>
    stateOf(
      server,
      `select case when last_healthy_at is null then 'unchecked' else 'checked' end as state from numbers
        where id = :item`,
      { item },
    ),
  done: 'checked',
  setAside: 'unchecked',
}

/** What loops send, report and receive. */
export const sendingKinds: readonly PoisonKind[] = [
  messages,
  deliveries,
  reminders,
  campaignStarts,
  simulatedEvents,
  reports,
  numbers,
]
