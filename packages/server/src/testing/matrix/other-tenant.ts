import { randomUUID } from 'node:crypto'
import { products } from '@msgctl/contract'
import { upsertContacts } from '#conversations/contacts/upsert-contacts.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { append, needsScan } from '#testing/features/events.ts'
import { type MadeOrganization, makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import type { TestServer } from '#testing/start-server.ts'
import { call } from './call.ts'
import { goodInput, type KnownIds } from './good-input.ts'
import { type MountedRoute, mountedAs } from './mounted.ts'
import { makeCaller } from './people.ts'
import { makeTenantBot } from './tenant-bot.ts'

/** An organization that has one of everything which can be named by an id. */
export interface TenantFixture extends MadeOrganization {
  readonly owner: Readonly<Record<string, string>>
  readonly numberKey: Readonly<Record<string, string>>
  readonly ids: Required<KnownIds>
}

/** Returns what reaches a route: the owner of an organization, or the staff of the service where it is theirs. */
export async function makeCallers(server: TestServer, owner: Readonly<Record<string, string>>) {
  const staff = await makeCaller(server, { what: 'staff', given: products, staff: 'with two steps' }, 'owner')
  return ({ route }: Pick<MountedRoute, 'route'>) => (route.access.platform ? staff : owner)
}

/**
 * Makes an organization with a number that works, its key, a message that was sent through it and an event. `orders` is
 * the number of its reviews and orders (default: 1), which calls that succeed use up.
 */
export async function makeOtherTenant(server: TestServer, { orders = 1 } = {}): Promise<TenantFixture> {
  const organization = await makeOrganization(server)
  const number = await makeNumber(server, organization)
  const owner = { authorization: `Bearer ${await makeToken(server, organization)}` }
  const send = mountedAs('alert.send')
  const sent = await call(server, send, { ...goodInput(send), headers: owner })
  if (sent.status !== 201) throw new Error(`a message could not be queued: ${sent.text}`)
  const message = String(JSON.parse(sent.text).messageId)
  // No worker runs where households are made.
  await rows(
    server.db,
    `update messages set status = 'sent', sent_at = service_now(), gateway_message_id = network_client_id
      where id = :message`,
    { message },
  )
  await append(server.services, needsScan(organization.organizationId))
  const create = mountedAs('campaigns.create')
  const created = await call(server, create, { ...goodInput(create), headers: owner })
  const campaign = String(JSON.parse(created.text).campaign.id)
  const plan = mountedAs('reminders.create')
  const planned = await call(server, plan, { ...goodInput(plan), headers: owner })
  const reminder = String(JSON.parse(planned.text).reminder.id)
  const seen = { organizationId: organization.organizationId, containerId: number, address: '12025550100' }
  const people = await transaction(server.db, (trx) => upsertContacts(trx, [{ ...seen, networkName: 'Jane' }]))
  const contact = [...people.values()][0]?.id ?? ''
  const attachment = randomUUID()
  await rows(
    server.db,
    `insert into chat_messages (id, organization_id, container_id, contact_id, direction, network_id, at, type, text,
       file)
     values (:attachment, :organizationId, :number, :contact, 'in', :attachment, service_now(), 'image', '',
             '{"mimetype": "image/png", "sizeBytes": 1}')`,
    { attachment, organizationId: organization.organizationId, number, contact },
  )
  const add = mountedAs('webhook.addEndpoint')
  const endpoint = String(JSON.parse((await call(server, add, { ...goodInput(add), headers: owner })).text).endpoint.id)
  const list = mountedAs('events.list')
  const { events } = JSON.parse((await call(server, list, { headers: owner })).text)
  const delivery = randomUUID()
  await rows(
    server.db,
    `insert into webhook_deliveries (id, event_id, organization_id, endpoint_id, status, next_attempt_at, created_at)
     values (:delivery, :event, :organizationId, :endpoint, 'dropped', service_now(), service_now())`,
    { delivery, event: String(events[0].id), organizationId: organization.organizationId, endpoint },
  )
  const invoice = randomUUID()
  await rows(
    server.db,
    `insert into billing_invoices (id, organization_id, provider_id, status, currency, subtotal, tax, total, paid,
       created_at, period_start, period_end, lines)
     values (:invoice, :organizationId, :invoice, 'paid', 'USD', 0, 0, 0, 0, service_now(), service_now(),
             service_now(), '[]')`,
    { invoice, organizationId: organization.organizationId },
  )
  await makeToken(server, organization)
  await makeToken(server, organization, 'member')
  const invite = mountedAs('team.invite')
  const invited = await call(server, invite, { ...goodInput(invite), headers: owner })
  const invitation = String(JSON.parse(invited.text).invitation.id)
  const team = mountedAs('team.list')
  const { members } = JSON.parse((await call(server, team, { headers: owner })).text)
  const person = String(members.at(-1).id)
  const own = mountedAs('auth.sessions')
  const { sessions } = JSON.parse((await call(server, own, { headers: owner })).text)
  const other = sessions.find(({ current }: { current: boolean }) => !current)
  return {
    ...organization,
    owner,
    numberKey: { 'x-api-key': await makeNumberKey(server, organization, number) },
    ids: {
      number,
      message,
      campaign,
      reminder,
      contact,
      attachment,
      delivery,
      endpoint,
      event: String(events[0].id),
      session: String(other.id),
      invoice,
      invitation,
      person,
      ...(await makeAiClient(server, organization)),
      ...(await makeTenantBot(server, organization, number, contact, orders)),
    },
  }
}

/** Makes the connection of an AI client, and an action of it that waits for a person. */
export async function makeAiClient({ db }: TestServer, { organizationId, ownerId }: MadeOrganization) {
  const ids = { connection: randomUUID(), action: randomUUID() }
  await rows(
    db,
    `insert into mcp_connections (id, organization_id, user_id, client_id, client_name, scopes, created_at)
     values (:connection, :organizationId, :ownerId, 'client', 'AI', '{read}', service_now())`,
    { ...ids, organizationId, ownerId },
  )
  await rows(
    db,
    `insert into mcp_actions (id, organization_id, connection_id, credential, tool, idempotency_key, arguments_hash,
                                reason,
                              summary, state, requested_at, expires_at)
     values (:action, :organizationId, :connection, 'connection:' || :connection, 'send_message', 'key', '', 'reason',
             'Send a message', 'pending', service_now(), service_now() + interval '15 min')`,
    { ...ids, organizationId },
  )
  return ids
}
