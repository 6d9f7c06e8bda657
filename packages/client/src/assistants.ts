import { assistantEndpoints } from '@msgctl/contract/assistant-endpoints'
import { bindTable, type RawRequest } from './client.ts'
import { type Clock, systemClock } from './clock.ts'
import { fieldNames } from './generated/assistant-field-names.ts'
import type { AssistantResources } from './generated/assistant-resources.ts'
import type { ClientOptions } from './settings.ts'

export type * from './generated/assistant-resources.ts'

/** The client for assistants, what they know, their conversations, and the shop with its orders. */
export type AssistantsClient = AssistantResources & { readonly request: RawRequest }

/** Creates a client for assistants on the given clock. Throws a TypeError that names the invalid option. */
function createAssistantsClient(options: ClientOptions, clock: Clock): AssistantsClient {
  const table = { endpoints: assistantEndpoints, fields: fieldNames, name: 'AssistantsClient' }
  return bindTable(options, clock, table) as unknown as AssistantsClient
}

/**
 * Creates a client for assistants and their shops: `new AssistantsClient()`, with an account key or a user's token. It
 * takes the options of `MessagingClient` and has the same retries and errors. Throws a TypeError that names the invalid
 * option.
 */
export const AssistantsClient = class {
  constructor(options: ClientOptions = {}) {
    Object.defineProperties(this, Object.getOwnPropertyDescriptors(createAssistantsClient(options, systemClock)))
  }
} as new (
  options?: ClientOptions,
) => AssistantsClient
