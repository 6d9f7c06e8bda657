import { describe, expect, it } from 'vitest'
import { newId } from '#platform/db/new-id.ts'
import { append } from '#testing/features/events.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { type NewEvent, requireContractOfEvents } from './append.ts'
import { messageEvent } from './message-event.ts'

requireContractOfEvents()
const server = await startTestServer({ worker: false })
const { services } = server
await services.clock.freeze()

interface About {
  readonly containerId: string
  readonly campaignId?: string
  readonly clientReference?: string
}

/** An organization with two numbers and twelve events, one a minute. */
async function withEvents() {
  const organization = await makeOrganization(server)
  const [first, second] = [await makeNumber(server, organization), await makeNumber(server, organization)]
  const client = server.client(organization)
  const campaignId = newId()
  const times: string[] = []
  const about = (n: number): About => ({
    containerId: n % 3 === 0 ? second : first,
    ...(n % 4 === 0 && { campaignId }),
    ...(n % 6 === 0 && { clientReference: 'order 7' }),
  })
  for (let n = 0; n < 12; n += 1) {
    const subject = {
      campaignId: null,
      clientReference: null,
      ...about(n),
      id: newId(),
      recipient: String(n),
      type: 'bulk',
    }
    const rest = {
      organizationId: organization.organizationId,
      numberPhone: null,
      gatewayMessageId: 'g',
      error: null,
      errorCode: null,
      botId: null,
      conversationId: null,
    }
    const kind = n % 2 === 0 ? 'message.read' : 'message.delivered'
    const event: NewEvent = messageEvent(kind, { ...subject, ...rest, type: 'bulk' }, services.clock.now())
    await append(services, event)
    times.push(services.clock.now().toISOString())
    await server.advance(60)
  }
  return { client, first, second, campaignId, times }
}

const made = await withEvents()
const { client, second, campaignId, times } = made
const recipients = (events: readonly { data: object }[]) =>
  events.map(({ data }) => Number((data as { recipient: string }).recipient))
const cases: [what: string, filter: object, found: number[]][] = [
  ['nothing', {}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
  ['a number', { containerId: second }, [0, 3, 6, 9]],
  ['a campaign', { campaignId }, [0, 4, 8]],
  ['a reference', { clientReference: 'order 7' }, [0, 6]],
  ['a kind and a number', { types: ['message.read'], containerId: second }, [0, 6]],
  ['since', { since: times[9] }, [9, 10, 11]],
  ['until', { until: times[2] }, [0, 1]],
  ['a span', { since: times[3], until: times[6] }, [3, 4, 5]],
  ['a span of a campaign', { since: times[1], until: times[9], campaignId }, [4, 8]],
  ['a campaign that never was', { campaignId: newId() }, []],
]

describe('GET /events filters by', () => {
  it.each(cases)('%s, in both orders and on small pages', async (_what, filter, found) => {
    for (const [order, expected] of [
      ['oldest', found],
      ['newest', found.toReversed()],
    ] as const) {
      const whole = await client.events.list({ ...filter, order })
      expect([recipients(whole.events), whole.hasMore]).toEqual([expected, false])
      const paged: { data: object }[] = []
      for await (const event of client.events.list.all({ ...filter, order, limit: 1 })) paged.push(event)
      expect(recipients(paged)).toEqual(expected)
    }
  })

  it('continues after the id of an event in both orders', async () => {
    const { events } = await client.events.list()
    const after = events[4]?.id ?? ''
    expect(recipients((await client.events.list({ after, limit: 2 })).events)).toEqual([5, 6])
    expect(recipients((await client.events.list({ after, limit: 2, order: 'newest' })).events)).toEqual([3, 2])
  })

  it('refuses a number of another organization', async () => {
    for (const call of [client.events.list, client.messages.list])
      await expect(call({ containerId: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('GET /events/stream filters by', () => {
  it.each(cases.filter(([, filter, found]) => !('until' in filter) && found.length > 0))(
    '%s, beginning in the past',
    async (_what, filter, found) => {
      const stream = client.events.stream({ since: times[0] ?? '', ...filter })
      const seen: object[] = []
      for await (const { data } of stream) if (seen.push({ data }) === found.length) break
      expect(recipients(seen as { data: object }[])).toEqual(found)
    },
  )
})
