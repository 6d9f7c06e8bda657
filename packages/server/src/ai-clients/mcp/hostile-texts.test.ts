import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival, later } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { connectAi } from '#testing/mcp/ai-client.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { address, db, services } = server
const length = 65_536

/**
 * Connects an AI client of an organization that received this text ten times, as long as rows of earlier versions may
 * be.
 */
async function clientWith(text: string) {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const from = { kind: 'phone', digits: '13035550001' } as const
  const number = { organizationId: organization.organizationId, containerId }
  const events = Array.from({ length: 10 }, (_, n) => arrival(number, { from }, later(n)))
  await handleGatewayEvents(services, events)
  await rows(db, 'update chat_messages set text = :text where organization_id = :organizationId', { ...number, text })
  return connectAi(address, { key: organization.apiKey })
}

const calls = [
  ['read_chat', { phone: '+13035550001' }],
  ['list_unread', {}],
  ['find_chats', {}],
] as const

type Client = Awaited<ReturnType<typeof clientWith>>

/** Calls the tools that list texts. Returns the CPU time of this process in milliseconds. */
async function cpuMs({ call }: Client): Promise<number> {
  const before = process.cpuUsage()
  for (const [tool, args] of calls) {
    const { isError, structuredContent } = await call(tool, args)
    expect([tool, isError, structuredContent.truncated]).toEqual([tool, undefined, true])
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const harmless = await clientWith('where is my order? '.repeat(length).slice(0, length))
await cpuMs(harmless)

it.each([
  ['beginnings of images', '!['.repeat(length / 2)],
  ['tags within tags', `${'<'.repeat(21_000)}<a>${'a>'.repeat(21_000)}`],
])('ten long texts of a stranger cost no more than ten harmless ones: %s', async (_name, text) => {
  const hostile = await clientWith(text)
  const ordinary = await cpuMs(harmless)
  expect(await cpuMs(hostile)).toBeLessThan(5 * ordinary + 100)
})
