import { type AdminClient, createAdminClient } from '../admin.ts'
import { createClient, type MessagingClient } from '../client.ts'
import { isMessagingError, type MessagingError } from '../error.ts'
import type { ClientOptions } from '../settings.ts'
import { type Answer, type ScriptedServer, serve } from './scripted-server.ts'
import { TestClock } from './test-clock.ts'

/** The key of the tests. Only the header X-API-Key may show it. */
export const apiKey = `msk_${'5ec4e7'.repeat(10)}beef`

interface Connected {
  readonly client: MessagingClient
  readonly admin: AdminClient
  readonly server: ScriptedServer
  readonly clock: TestClock
}

/** Creates a client on a test clock, and a server that follows the script. */
export async function connect(options: ClientOptions, ...script: Answer[]): Promise<Connected> {
  const server = await serve(...script)
  const clock = new TestClock()
  const settings = { apiKey, baseUrl: server.baseUrl, ...options }
  return { client: createClient(settings, clock), admin: createAdminClient(settings, clock), server, clock }
}

/** Returns the MessagingError of a call; throws when the call succeeds or fails with another error. */
export async function errorFrom(call: Promise<unknown>): Promise<MessagingError> {
  const error = await call.then(
    (value) => new Error(`It succeeded with ${JSON.stringify(value)}.`),
    (thrown: unknown) => thrown,
  )
  if (isMessagingError(error)) return error
  throw error
}
