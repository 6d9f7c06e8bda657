import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const organization = await makeOrganization(server)
await makeNumber(server, organization)
const people = server.client({ token: await makeToken(server, organization) })

/** Connects a client that opens pages for its user, who decides there. */
async function connect(decide: (actionId: string) => Promise<unknown>) {
  const opened: string[] = []
  const client = new Client(
    { name: 'opens', version: '1' },
    {
      capabilities: { elicitation: { url: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const url = 'url' in params ? String(params.url) : ''
    opened.push(url)
    await decide(url.split('/approve#action=')[1] ?? '')
    return { action: 'accept' }
  })
  const requestInit = { headers: { 'X-API-Key': organization.apiKey } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.baseUrl}/mcp`), { requestInit }))
  cleanUpAfterFile(() => client.close())
  return { client, opened }
}

const message = (idempotencyKey: string) => ({
  name: 'send_message',
  arguments: { phone: '+13035550999', message: 'Hello', idempotencyKey },
})

it('finishes the call of a client that can open the approval page', async () => {
  const { client, opened } = await connect((actionId) => people.mcp.approve({ actionId }))
  const { structuredContent } = await client.callTool(message('page-1'))
  expect(opened).toHaveLength(1)
  expect(structuredContent).toMatchObject({ status: 'queued', approval: { state: 'done' } })
})

it('reports a denial in the same call', async () => {
  const { client } = await connect((actionId) => people.mcp.deny({ actionId }))
  expect((await client.callTool(message('page-2'))).structuredContent).toMatchObject({ approval: { state: 'denied' } })
})
