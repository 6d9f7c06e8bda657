import type { SendGroupMode } from '@msgctl/contract'
import { applyState } from '#numbers/connection/state.ts'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import type { TestServer } from '#testing/start-server.ts'

/** An organization with a send group of all its numbers; the first one is the default. */
export async function makeGroup(
  server: TestServer,
  { numbers = 3, ...group }: { numbers?: number; mode?: SendGroupMode; enabled?: boolean; sticky?: boolean } = {},
) {
  const organization = await makeOrganization(server)
  const { organizationId } = organization
  const ids: string[] = []
  for (let n = 0; n < numbers; n += 1) ids.push(await makeNumber(server, organization))
  const client = server.client(organization)
  const owner = server.client({ token: await makeToken(server, organization) })
  await owner.numbers.setSendGroup({ enabled: true, containerIds: ids, ...group })

  function report(containerId: string, status: 'WORKING' | 'FAILED') {
    const state = { status, me: null }
    return applyState(server.services, { organizationId, containerId, state, source: 'network' })
  }
  return {
    organization,
    ids: ids as [string, string, string, ...string[]],
    client,
    owner,
    goesDown: (containerId: string) => report(containerId, 'FAILED'),
    comesUp: (containerId: string) => report(containerId, 'WORKING'),
    /** Queues a text and returns the message's id. */
    async send(message: string, options: { containerId?: string; phone?: string; priority?: 'high' } = {}) {
      return (await client.alert.send({ phone: '12025550121', message, ...options })).messageId
    },
    /** What is queued, by number, in the order of the queue: `{ [containerId]: texts }`. */
    async queues(): Promise<Record<string, string[]>> {
      const found = await rows<{ containerId: string; content: string }>(
        server.db,
        `select container_id, content from messages
          where organization_id = :organizationId and status = 'queued' order by queue_at, id`,
        { organizationId },
      )
      const queues: Record<string, string[]> = {}
      for (const { containerId, content } of found) queues[containerId] = [...(queues[containerId] ?? []), content]
      return queues
    },
  }
}
