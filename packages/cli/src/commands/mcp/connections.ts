import type { Context } from '../../context.ts'
import { listedBy, resolveId } from '../../input/id-prefix.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'

const columns = defineColumns(
  'id, client.name as Client, client.host as Of, person.name as Allowed by, scopes, lastUsedAt as Last used',
)

async function connections(context: Context): Promise<void> {
  const { connections: found } = await context.asPerson((client) => client.mcp.connections())
  await context.print.list(found, columns)
}

async function revoke(context: Context, reference: string): Promise<void> {
  const connectionId = await resolveId(reference, {
    list: () => listedBy(async () => (await context.asPerson((client) => client.mcp.connections())).connections),
    plural: 'connections',
    command: 'msgctl mcp connections',
  })
  await context.confirm(`End the connection ${connectionId}?`)
  await context.asPerson((client) => client.mcp.endConnection({ connectionId }))
  await context.done({ ended: connectionId }, 'The connection has ended.')
}

/** `mcp connections` and `mcp revoke`. */
export const connectionsVerbs = verbs(
  verb('connections', 'list the connections of AI clients', connections, ['msgctl mcp connections']),
  verb('revoke <connection>', 'end a connection of an AI client', revoke, [
    'msgctl mcp revoke 0190b1a1-0c2d-7b3e-8f44-5a6b7c8da006',
  ]),
)
