import * as z from 'zod'
import { named } from '../../model/envelope.ts'

/** What an AI client may be allowed. */
export const aiScopes = ['read', 'send', 'manage'] as const
export type AiScope = (typeof aiScopes)[number]

/** The connection or key behind a call. */
export const aiCaller = named('AiCaller', 'The connection or key that an AI client uses.', {
  id: z.uuid().nullable().describe('The connection; null for a key.'),
  name: z.string().describe('Name of the client, or which key it was.'),
})

/** The AI client behind a connection or a request. */
export const aiClient = named('AiClient', 'An AI client.', {
  id: z.string().describe('The client id: the address of its document, or one that it got when it registered.'),
  name: z.string().describe('The name that the client gives itself.'),
  host: z
    .string()
    .nullable()
    .describe('The host of its document, which proves where it comes from; null if it registered.'),
})

export const scopesGiven = z.array(z.enum(aiScopes)).describe('What it may do: read, send, manage.')
