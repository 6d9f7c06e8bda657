import * as z from 'zod'
import * as example from '../../examples/ai-clients.ts'
import * as cast from '../../examples/cast.ts'
import { named, ok } from '../../model/envelope.ts'
import { at, unique, uuid } from '../../model/fields.ts'
import { route } from '../../route.ts'
import { aiClient, aiScopes } from './records.ts'

const access = { feature: 'inbox', keys: 'none' } as const
const params = z.object({ requestId: uuid.describe('The request.') })
const redirectTo = z.string().describe('Where the page sends the browser: back to the client.')

const request = named('AiConnectionRequest', 'The request of an AI client for a connection.', {
  id: z.uuid().describe('The request.'),
  client: aiClient,
  redirect: z
    .object({
      host: z.string().describe('The host, or the scheme of a program.'),
      kind: z
        .enum(['web', 'loopback', 'program'])
        .describe('A website, a program on this machine by http, or a program by a scheme of its own.'),
    })
    .describe('Where the answer goes.'),
  scopes: z.array(z.enum(aiScopes)).describe('What the client asks for.'),
  expiresAt: at('Until when it can be answered.'),
  numbers: z
    .array(
      z.object({
        containerId: z.uuid().describe('The number.'),
        label: z.string().describe('Name of the number.'),
        phoneNumber: z.string().nullable().describe('Digits; null before the first link.'),
      }),
    )
    .describe('The numbers that it can be bound to.'),
})

/** Requests of AI clients for a connection, which a person decides in the browser in which they began. */
export const oauth = {
  /** Returns the request of an AI client for a connection. OAUTH_REQUEST_INVALID once it expired or was answered. */
  request: route('GET /oauth/requests/:requestId', {
    summary: 'Get a request of an AI client',
    access,
    params,
    response: ok({ request }),
    errors: ['OAUTH_REQUEST_INVALID'],
    example: {
      input: { requestId: example.requestId },
      output: {
        request: {
          id: example.requestId,
          client: example.client,
          redirect: { host: 'ai.example.com', kind: 'web' },
          scopes: ['read', 'send'],
          expiresAt: example.soon,
          numbers: [
            { containerId: cast.support.containerId, label: cast.support.label, phoneNumber: cast.support.phone },
          ],
        },
      },
    },
  }),

  /**
   * Allows the connection, with some of what the client asked for. For any member, in the browser in which it began.
   */
  approve: route('POST /oauth/requests/:requestId/approve', {
    summary: 'Allow a connection of an AI client',
    access,
    params,
    body: z.object({
      scopes: unique(z.array(z.enum(aiScopes)).min(1).max(aiScopes.length)).describe('What the client may do.'),
      containerId: uuid.nullable().describe('The only number that it uses; null for all.'),
    }),
    response: ok({ redirectTo }),
    errors: ['OAUTH_REQUEST_INVALID'],
    secret: true,
    example: {
      input: { requestId: example.requestId, scopes: ['read'], containerId: null },
      output: {
        redirectTo: 'https://ai.example.com/callback?code=example&state=xyz&iss=https%3A%2F%2Fexample.com',
      },
    },
  }),

  /** Refuses the connection. */
  deny: route('POST /oauth/requests/:requestId/deny', {
    summary: 'Refuse a connection of an AI client',
    access,
    params,
    response: ok({ redirectTo }),
    errors: ['OAUTH_REQUEST_INVALID'],
    example: {
      input: { requestId: example.requestId },
      output: { redirectTo: 'https://ai.example.com/callback?error=access_denied&state=xyz' },
    },
  }),
}
