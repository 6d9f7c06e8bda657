import { randomUUID } from 'node:crypto'
import { limits } from '@msgctl/contract'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { type MadeOrganization, makeNumber, makeOrganization } from '#testing/make.ts'
import { mountedAs } from '#testing/matrix/mounted.ts'
import { sim } from '#testing/sim.ts'
import type { TestServer } from '#testing/start-server.ts'
import { largestInput } from './largest-input.ts'

/** A request that is as expensive as an ordinary key can make it. */
export interface ExpensiveRequest {
  readonly route: string
  readonly input: string
  readonly bytes: number
  /** Makes it. Throws when it is not responded to as it should be. */
  make(): Promise<void>
}

interface Sending {
  readonly method?: string
  readonly body?: Buffer
  readonly type?: string
  readonly status?: number
}

const entries = { kind: 'entries', letters: 'one letter' } as const
const texts = { kind: 'texts', letters: 'any letters' } as const
const json = (value: unknown) => Buffer.from(JSON.stringify(value))

/** Prepares the requests of an organization; `baseUrl` is that of the API that is measured. */
export async function prepareRequests(
  server: TestServer,
  baseUrl: string,
): Promise<(() => Promise<ExpensiveRequest>)[]> {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const send = (
    path: string,
    { method = 'POST', body = Buffer.alloc(0), type = 'application/json', status = 200 }: Sending,
  ) => request({ url: `${baseUrl}${path}`, method, body, type, status, organization })
  const simple = (route: string, input: string, sending: Sending & { readonly body: Buffer }) => async () => {
    const path = route.split(' ')[1] ?? ''
    return { route, input, bytes: sending.body.length, make: async () => void (await send(path, sending)) }
  }

  const { botId, answerId } = await makeFullAssistant(server, organization)
  const stranger = '14155550199'
  await receiveTexts(server, organization, { containerId, from: stranger })

  const batch = (input: string, name: string, args: object) =>
    simple('POST /mcp', `batch of ${limits.mcp.batchMessages} ${input}`, {
      body: json(
        Array.from({ length: limits.mcp.batchMessages }, (_, id) =>
          name === 'tools/list'
            ? { jsonrpc: '2.0', id, method: name, params: {} }
            : { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } },
        ),
      ),
    })
  const phones = largestInput(mountedAs('recipients.validate'), entries).body.phones as string[]
  const campaign = (recipe: typeof entries | typeof texts) =>
    json({ ...largestInput(mountedAs('campaigns.create'), recipe).body, scheduledAt: null, strictVariables: false })
  const reminders = (recipe: typeof entries | typeof texts) =>
    json({ ...largestInput(mountedAs('reminders.import'), recipe).body, containerId, repeat: 'none' })

  const read = (input: string, draft: object) => async () => {
    const body = json({ ...draft, name: 'all', scheduledAt: null, strictVariables: false })
    const created = await send('/bulk/campaigns', { body, status: 201 })
    const { id } = (created as { campaign: { id: string } }).campaign
    return {
      route: 'GET /bulk/campaigns/:id/status',
      input,
      bytes: body.length,
      make: async () => void (await send(`/bulk/campaigns/${id}/status`, { method: 'GET' })),
    }
  }
  const longCampaign = largestInput(mountedAs('campaigns.create'), texts).body
  const started = (input: string, draft: object) => async () => {
    const body = json({ ...draft, name: 'all', scheduledAt: null, strictVariables: false })
    const created = await send('/bulk/campaigns', { body, status: 201 })
    const { id } = (created as { campaign: { id: string } }).campaign
    return {
      route: 'POST /bulk/campaigns/:id/send',
      input,
      bytes: 2,
      make: async () => {
        await send(`/bulk/campaigns/${id}/send`, { body: json({}) })
        await send(`/bulk/campaigns/${id}/pause`, { body: json({}) })
      },
    }
  }

  return [
    async () => {
      const changed = json({ questions: [`What is new ${randomUUID()}?`] })
      const asked = json({ question: 'hello there'.padEnd(limits.bots.asked, ' x') })
      return {
        route: 'POST /bots/:id/ask',
        input: 'after a change, 200,000 characters',
        bytes: changed.length + asked.length,
        make: async () => {
          await send(`/bots/${botId}/answers/${answerId}`, { method: 'PUT', body: changed })
          await send(`/bots/${botId}/ask`, { body: asked })
        },
      }
    },
    simple('POST /media', '100,000 parts', { body: form(100_000, 1), type: formType, status: 413 }),
    simple('POST /media', '10 parts, 16 MiB', {
      body: form(limits.media.formParts - 1, limits.media.bytes),
      type: formType,
      status: 201,
    }),
    batch('read_chat', 'read_chat', { phone: `+${stranger}`, limit: limits.mcp.messages.max }),
    simple('POST /recipients/validate', '10,000', { body: json({ phones: phones.map(fresh) }) }),
    started('10,000', {
      template: 'Hello {{name}}',
      recipients: phones.map((phone) => ({ phone, variables: { name: 'x' } })),
    }),
    started('16 MB of long variables', longCampaign),
    read('10,000 with 50 variables', largestInput(mountedAs('campaigns.create'), entries).body),
    read('16 MB of long variables', longCampaign),
    batch('check_numbers', 'check_numbers', { phones: phones.slice(0, limits.mcp.checkedPhones) }),
    simple('POST /recipients/validate', '16 MB of garbage', {
      body: json({ phones: Array.from({ length: 255 }, (_, n) => `${n}`.padEnd(limits.bulkTextBytes - 2, ' (-.[]')) }),
    }),
    batch('find_chats', 'find_chats', { limit: limits.mcp.rows }),
    simple('POST /bulk/campaigns', '10,000 with 50 variables', { body: campaign(entries), status: 201 }),
    simple('POST /bulk/campaigns', '16 MB of long variables', { body: campaign(texts), status: 201 }),
    simple('POST /bulk/campaigns/preview', '10,000 with 50 variables', { body: campaign(entries) }),
    simple('POST /reminders/import', '5,000 with 50 variables', { body: reminders(entries), status: 201 }),
    simple('POST /reminders/import', '5,000 of the longest text', {
      body: json({ message: 'x'.repeat(limits.message), rows: reminderRows(), repeat: 'none' }),
      status: 201,
    }),
    simple('POST /reminders/import', '16 MB of long variables', { body: reminders(texts), status: 201 }),
    batch('tools/list', 'tools/list', {}),
  ]
}

function reminderRows() {
  const { rows: all } = largestInput(mountedAs('reminders.import'), entries).body as {
    rows: { phone: string; sendAt: string }[]
  }
  return all.map(({ phone, sendAt }) => ({ phone, sendAt }))
}

let checked = 0
/** A number that was never checked: a check of the network is not repeated. */
function fresh(): string {
  checked += 1
  return `+1303${String(checked).padStart(7, '2')}`
}

const formType = 'multipart/form-data; boundary=b'
function form(others: number, lastBytes: number): Buffer {
  const head = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"; filename="b"\r\n\r\n`
  const ends = ['\r\n', '\r\n--b--\r\n'] as const
  return Buffer.concat([
    Buffer.from(`${head('a')}${ends[0]}`.repeat(others) + head('file')),
    Buffer.alloc(lastBytes, 'x'),
    Buffer.from(ends[1]),
  ])
}

async function request({
  url,
  method,
  body,
  type,
  status,
  organization,
}: Required<Sending> & { readonly url: string; readonly organization: MadeOrganization }): Promise<unknown> {
  const headers = {
    'content-type': type,
    accept: 'application/json, text/event-stream',
    'x-api-key': organization.apiKey,
  }
  const response = await fetch(url, { method, headers, body: method === 'GET' ? null : new Uint8Array(body) })
  const text = await response.text()
  if (response.status !== status)
    throw new Error(`${method} ${url} responded with ${response.status}: ${text.slice(0, 500)}`)
  if (response.ok && (text.includes('"isError":true') || text.includes('"error":{"code":')))
    throw new Error(`${url} responded with an error: ${text.slice(0, 500)}`)
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
}

/** An assistant with all questions that it can have, of the longest kind. */
async function makeFullAssistant(server: TestServer, organization: MadeOrganization) {
  const client = server.client(organization)
  const { bot } = await client.bots.create({ name: 'Desk' })
  const given = largestInput(mountedAs('bots.importAnswers'), texts).body.rows as { questions: string[] }[]
  const fitting = Math.floor(limits.bots.questionCharacters / (limits.bots.questions * limits.bots.question * 1.2))
  await client.bots.importAnswers({
    botId: bot.id,
    rows: given.slice(0, fitting).map(({ questions }) => ({ questions, answer: 'Yes.' })),
  })
  const { answer } = await client.bots.addAnswer({ botId: bot.id, questions: ['What is new?'], answer: 'This.' })
  return { botId: bot.id, answerId: answer.id }
}

/** Receives as many texts of a stranger as a chat is read with, made to be expensive. */
async function receiveTexts(
  server: TestServer,
  { organizationId }: MadeOrganization,
  person: { readonly containerId: string; readonly from: string },
) {
  const count = limits.mcp.messages.max
  for (let n = 0; n < count; n++)
    await sim(server, 'POST inbound', {
      ...person,
      from: `+${person.from}`,
      text: (n % 2 ? '![' : '<a').repeat(limits.message / 2),
    })
  await eventually(
    () =>
      rows<{ count: number }>(
        server.db,
        'select count(*)::int as count from chat_messages where organization_id = :organizationId',
        { organizationId },
      ),
    ([found]) => found?.count === count,
  )
}
