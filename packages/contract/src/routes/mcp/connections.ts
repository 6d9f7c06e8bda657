import * as z from 'zod'
import * as example from '../../examples/ai-clients.ts'
import { named, ok } from '../../model/envelope.ts'
import { at, atOrNull, unique, uuid } from '../../model/fields.ts'
import { route } from '../../route.ts'
import { aiClient, aiScopes, scopesGiven } from './records.ts'

const connection = named('AiConnection', 'The connection of an AI client, as a person allowed it.', {
  id: z.uuid().describe('The connection.'),
  client: aiClient,
  person: z
    .object({ id: z.uuid().describe('The person.'), name: z.string().describe('Name of the person.') })
    .describe('Who allowed it. The connection is never more than this person.'),
  scopes: scopesGiven,
  containerId: z.uuid().nullable().describe('The only number that it uses; null for all.'),
  createdAt: at('When it was allowed.'),
  lastUsedAt: atOrNull('When it was last used, to the minute.'),
})

const person = { keys: 'none' } as const
const params = z.object({ connectionId: uuid.describe('The connection.') })

export const connectionRoutes = {
  /** Lists the connections of AI clients, the latest first, up to 200. Members see their own. */
  connections: route('GET /mcp/connections', {
    summary: 'List connections of AI clients',
    access: person,
    response: ok({ connections: z.array(connection).describe('The connections.') }),
    example: { output: { connections: [example.connection] } },
  }),

  /**
   * Takes scopes from a connection, or binds it to one number. It can never get more: FORBIDDEN_ACTION
   * `consent_needed`. Members change their own.
   */
  updateConnection: route('PUT /mcp/connections/:connectionId', {
    summary: 'Narrow a connection of an AI client',
    access: person,
    params,
    body: z.object({
      scopes: unique(z.array(z.enum(aiScopes)).min(1).max(aiScopes.length))
        .optional()
        .describe('What it keeps.'),
      containerId: uuid.nullable().optional().describe('The only number that it uses.'),
    }),
    response: ok({ connection }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    example: {
      input: { connectionId: example.connectionId, scopes: ['read'] },
      output: { connection: example.connection },
    },
  }),

  /** Ends a connection of an AI client. Its tokens stop working at once. Members end their own. */
  endConnection: route('DELETE /mcp/connections/:connectionId', {
    summary: 'End a connection of an AI client',
    access: person,
    params,
    response: ok({}),
    errors: ['NOT_FOUND'],
    example: { input: { connectionId: example.connectionId }, output: {} },
  }),
}
