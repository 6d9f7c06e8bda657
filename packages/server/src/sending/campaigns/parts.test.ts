import { describe, expect, it } from 'vitest'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import type { Recipient } from './recipients.ts'

const server = await startTestServer({ worker: false })
const { db } = server.services

/** What a process builds or parses in one step: the rows that a statement carries, or those of a JSON text. */
interface Step {
  readonly sql: string
  readonly rows: number
  /** Characters of the longest text that it returns. */
  readonly characters: number
}

/** Returns the steps of a call: its statements with the rows that they carry, and the lists that they return. */
async function stepsOf(call: () => Promise<unknown>): Promise<Step[]> {
  const steps: Step[] = []
  const rowsOf = (value: unknown) => {
    if (Array.isArray(value)) return value.length
    return typeof value === 'string' && value.startsWith('[{') ? JSON.parse(value).length : 0
  }
  const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0)
  const onQuery = ({ sql, bindings = [] }: { sql: string; bindings?: unknown[] }) => {
    steps.push({ sql, rows: Math.max(0, ...bindings.map(rowsOf)), characters: 0 })
  }
  const onResponse = (response: { rows?: object[] }, { sql }: { sql: string }) => {
    for (const row of response.rows ?? []) {
      const values = Object.values(row)
      const characters = Math.max(0, ...values.map(lengthOf))
      steps.push({ sql: `response to ${sql}`, rows: Math.max(0, ...values.map(rowsOf)), characters })
    }
  }
  db.on('query', onQuery)
  db.on('query-response', onResponse)
  try {
    await call()
  } finally {
    db.off('query', onQuery)
    db.off('query-response', onResponse)
  }
  return steps
}

const rowsOf = (steps: readonly Step[], sql: string) =>
  steps.flatMap((step) => (step.sql.includes(sql) && step.rows > 0 ? [step.rows] : []))

async function makeCampaign(template: string, recipients: Recipient[] = people(1200)) {
  const organization = await makeOrganization(server)
  await makeNumber(server, organization)
  const client = server.client(organization)
  const { campaign } = await client.campaigns.create({ name: 'News', template, recipients, strictVariables: false })
  return { client, id: campaign.id }
}

describe('a campaign', () => {
  it('is started and resumed in parts, each recipient once', async () => {
    const { client, id } = await makeCampaign('Hello {{name}}')
    const queued = () => client.campaigns.recipients({ id, status: 'queued', limit: 100 })
    for (const begin of [client.campaigns.send, client.campaigns.resume]) {
      const steps = await stepsOf(() => begin({ id }))
      expect(rowsOf(steps, 'response to select json_agg')).toEqual([500, 500, 200])
      expect(rowsOf(steps, 'insert into messages')).toEqual([500, 500, 200])
      const { total, recipients } = await queued()
      expect(total).toBe(1200)
      expect(recipients.map(({ phone }) => phone)).toEqual(people(100).map(({ phone }) => phone))
      await client.campaigns.pause({ id })
      expect((await queued()).total).toBe(0)
    }
  })

  it('with long variables is started in parts of a bounded size', async () => {
    const variables = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'x'.repeat(1000)]))
    const { client, id } = await makeCampaign(
      'Hello',
      people(40).map(({ phone }) => ({ phone, variables })),
    )
    const steps = await stepsOf(() => client.campaigns.send({ id }))
    const read = steps.filter(({ sql }) => sql.includes('response to select json_agg'))
    const longest = Math.max(...read.map(({ characters }) => characters))
    expect(longest).toBeGreaterThan(50 * 1000)
    expect(longest).toBeLessThan(600 * 1024)
    const { total } = await client.campaigns.recipients({ id, status: 'queued' })
    expect(total).toBe(40)
  })

  it('that fails for all is reported in parts, and its completion behind the last of them', async () => {
    const { client, id } = await makeCampaign('{{nothing}}')
    const steps = await stepsOf(() => client.campaigns.send({ id }))
    expect(rowsOf(steps, 'insert into messages')).toEqual([500, 500, 200])
    expect(rowsOf(steps, 'append_events')).toEqual([500, 500, 200])
    const kinds: string[] = []
    for await (const { event } of client.events.list.all({ types: ['message.failed', 'campaign.completed'] })) {
      kinds.push(event)
    }
    expect(kinds).toEqual([...Array.from({ length: 1200 }, () => 'message.failed'), 'campaign.completed'])
    expect(await client.campaigns.status({ id })).toMatchObject({ status: 'completed', stats: { failed: 1200 } })
  })
})
