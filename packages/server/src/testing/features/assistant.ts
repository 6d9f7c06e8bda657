import { events as contractEvents, type EventKind } from '@msgctl/contract'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { type MadeOrganization, makeNumber, makeOrganization } from '#testing/make.ts'
import { sim, transcriptOf } from '#testing/sim.ts'
import type { TestClient, TestServer } from '#testing/start-server.ts'

type BotInput = Partial<Parameters<TestClient['bots']['create']>[0]>

/** The answers of the assistant of a test. */
const knowledge = [
  { questions: ['When are you open?', 'What are your opening hours?'], answer: 'We are open from 9 to 5.' },
  { questions: ['Do you deliver?', 'Can you bring it to my house?'], answer: 'Yes, we deliver in the city.' },
  { questions: ['How can I pay?', 'Do you take credit cards?'], answer: 'You pay in cash.' },
]

/** An active assistant of a new organization on a linked number, and customers who write to it. */
export interface TestAssistant {
  readonly organization: MadeOrganization
  readonly client: TestClient
  readonly containerId: string
  readonly botId: string
  /** A customer with a phone of their own. */
  customer(): TestCustomer
  /** What happened, oldest first: the events of assistants and orders, which must match their schemas exactly. */
  events(): Promise<{ event: string; data: Record<string, unknown> }[]>
}

/** A customer of the simulated network. */
interface TestCustomer {
  readonly phone: string
  /** Writes to the number, and waits until the assistant has taken its turn. Returns what it said since. */
  says(...texts: string[]): Promise<string[]>
  /** Writes to the number, and waits until the message has arrived. */
  writes(text: string, more?: object): Promise<void>
}

let people = 0

/** Makes an assistant with three answers, whose hours and shop are as in `input`. */
export async function makeAssistant(server: TestServer, input: BotInput = {}): Promise<TestAssistant> {
  const organization = await makeOrganization(server)
  return makeAssistantOf(server, organization, input)
}

/** Makes an assistant of an organization that exists. */
export async function makeAssistantOf(
  server: TestServer,
  organization: MadeOrganization,
  input: BotInput = {},
): Promise<TestAssistant> {
  const client = server.client(organization)
  const containerId = await makeNumber(server, organization)
  const { bot } = await client.bots.create({ name: 'Desk', containerIds: [containerId], ...input })
  await client.bots.importAnswers({ botId: bot.id, rows: knowledge })
  await client.bots.activate({ botId: bot.id })
  return {
    organization,
    client,
    containerId,
    botId: bot.id,
    customer: () => makeCustomer(server, containerId),
    async events() {
      const { events } = await client.events.list({ types: 'bot.needs_review,bot.handoff,commerce.order', limit: 500 })
      return events.map(({ event, data }) => ({ event, data: { ...strictData(event, data) } }))
    },
  }
}

/** Returns the data of an event. Throws unless it has the fields of its schema and no others. */
export function strictData(event: string, data: unknown): Record<string, unknown> {
  return contractEvents[event as EventKind].data.strict().parse(data)
}

function makeCustomer(server: TestServer, containerId: string): TestCustomer {
  people += 1
  const phone = `1312555${String(people).padStart(4, '0')}`
  let heard = 0

  async function writes(text: string, more: object = {}): Promise<void> {
    const { networkId } = await sim<{ networkId: string }>(server, 'POST inbound', {
      containerId,
      from: `+${phone}`,
      text,
      ...more,
    })
    await eventually(
      () => rows(server.db, 'select 1 as stored from chat_messages where network_id = :networkId', { networkId }),
      (found) => found.length > 0,
    )
  }

  return {
    phone,
    writes,
    async says(...texts) {
      for (const text of texts) await writes(text)
      await server.advance(3)
      await answered(server, phone)
      const sent = (await transcriptOf(server, containerId)).filter(({ to }) => to === phone)
      const fresh = sent.slice(heard)
      heard = sent.length
      return fresh.map(({ content }) => String((content as { text?: string }).text))
    },
  }
}

/**
 * Waits until no assistant has anything to answer that is due, and everything that was said has been sent. With
 * `phone`, nothing that this customer wrote may wait any more; without, nothing that a worker has claimed.
 */
export async function answered(server: TestServer, phone: string | null = null): Promise<void> {
  await eventually(
    () =>
      rows<{ left: number }>(
        server.db,
        `select (select count(*) from bot_conversations
                  where due_at <= service_now() or (:phone::text is null and lease_token is not null))
              + (select count(*) from bot_inbox i join bot_conversations c on c.id = i.conversation_id
                   join contacts k on k.id = c.contact_id where k.phone = :phone)
              + (select count(*) from messages where status in ('queued', 'sending') and due_at <= service_now()) as
                left`,
        { phone },
      ),
    ([found]) => Number(found?.left) === 0,
  )
}
