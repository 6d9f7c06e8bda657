import { adminEndpoints } from '@msgctl/contract/admin-endpoints'
import type { AdminResources } from './admin-resources.ts'
import { bindTable, type RawRequest } from './client.ts'
import { type Clock, systemClock } from './clock.ts'
import { fieldNames } from './generated/admin-field-names.ts'
import type { ClientOptions } from './settings.ts'

export type * from './admin-resources.ts'

/** The client for people, their organizations and their assistants. */
export type AdminClient = AdminResources & { readonly request: RawRequest }

/** Creates an admin client on the given clock. Throws a TypeError that names the invalid option. */
export function createAdminClient(options: ClientOptions, clock: Clock): AdminClient {
  const table = { endpoints: adminEndpoints, fields: fieldNames, name: 'AdminClient' }
  return bindTable(options, clock, table) as unknown as AdminClient
}

/**
 * Creates a client for people, their organizations and their assistants: `new AdminClient({ token, baseUrl })`. It
 * takes the options of `MessagingClient` and has the same retries and errors. Throws a TypeError that names the invalid
 * option.
 */
export const AdminClient = class {
  constructor(options: ClientOptions = {}) {
    Object.defineProperties(this, Object.getOwnPropertyDescriptors(createAdminClient(options, systemClock)))
  }
} as new (
  options?: ClientOptions,
) => AdminClient
