import { setTimeout as wait } from 'node:timers/promises'
import { MessagingClient } from '@msgctl/client'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { type Receiver, startReceiver } from '#testing/features/receiver.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import type { TestServer } from '#testing/start-server.ts'

/** An organization that works while another one makes large requests. */
export interface SecondTenant {
  /** Works until `other` ends. Returns the longest time that a call of it took, in milliseconds. */
  workDuring(other: Promise<unknown>): Promise<number>
  /** Waits until all that it asked for is done. Returns what is missing or was refused. */
  faults(): Promise<string[]>
}

const everyMs = 100
/** A round is at least so long: what a request causes comes after its response. */
const leastTicks = 10

/** Makes an organization that sends a text and has a reminder every 100 ms, and receives webhooks about them. */
export async function makeSecondTenant(server: TestServer, baseUrl: string): Promise<SecondTenant> {
  const organization = await makeOrganization(server)
  await makeNumber(server, organization)
  const receiver = await startReceiver()
  const client = new MessagingClient({ apiKey: organization.apiKey, baseUrl, maxRetries: 0 })
  await server.client(organization).webhook.set({ webhookUrl: receiver.url })
  const refusals: string[] = []
  let asked = 0

  async function timed(call: () => Promise<unknown>): Promise<number> {
    const start = performance.now()
    await call().catch((error: unknown) => refusals.push(String(error)))
    return performance.now() - start
  }

  async function tick(): Promise<number> {
    asked += 1
    const message = `text ${asked}`
    const phone = '+12025550100'
    const sendAt = new Date().toISOString()
    const took = await Promise.all([
      timed(() => client.alert.send({ phone, message })),
      timed(() => client.reminders.create({ phone, message: `reminder ${message}`, sendAt })),
    ])
    return Math.max(...took)
  }

  return {
    async workDuring(other) {
      const ticks: Promise<number>[] = []
      let isOver = false
      const end = () => {
        isOver = true
      }
      void other.then(end, end)
      while (!isOver || ticks.length < leastTicks) {
        ticks.push(tick())
        await wait(everyMs)
      }
      // Throws what the other one's request throws.
      await other
      return Math.max(...(await Promise.all(ticks)))
    },
    async faults() {
      await eventually(
        () => countSent(server, organization.organizationId),
        ({ texts, reminders }) => texts >= asked && reminders >= asked,
      ).catch((error: unknown) => refusals.push(String(error)))
      await eventually(
        () => countUnreported(server, organization.organizationId, receiver),
        (count) => count === 0,
      ).catch((error: unknown) => refusals.push(String(error)))
      return refusals
    },
  }
}

/** Counts the messages that were sent and whose webhook about their delivery did not arrive. */
async function countUnreported({ db }: TestServer, organizationId: string, { received }: Receiver): Promise<number> {
  const reported = new Set(
    received.flatMap(({ body }) => {
      const { event, data } = JSON.parse(body) as { event: string; data: { messageId?: string } }
      return event === 'message.delivered' && data.messageId !== undefined ? [data.messageId] : []
    }),
  )
  const sent = await rows<{ id: string }>(
    db,
    'select id from messages where organization_id = :organizationId and sent_at is not null',
    { organizationId },
  )
  return sent.filter(({ id }) => !reported.has(id)).length
}

async function countSent({ db }: TestServer, organizationId: string) {
  const [counted] = await rows<{ texts: number; reminders: number }>(
    db,
    `select (select count(*) from messages where organization_id = :organizationId and sent_at is not null
               and content like 'text %')::int as texts,
            (select count(*) from reminders where organization_id = :organizationId
                and status = 'done')::int as reminders`,
    { organizationId },
  )
  return counted ?? { texts: 0, reminders: 0 }
}
