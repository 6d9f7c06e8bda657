import { MessagingClient } from '@msgctl/client'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { type MadeOrganization, makeNumber, makeOrganization } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { serveDatabase, startTestServer, type TestServer, type TestServerOptions } from '#testing/start-server.ts'

/** Two services at one database, with the same keys as two processes of one installation have. */
export async function startTwoServers(options: TestServerOptions = {}): Promise<readonly [TestServer, TestServer]> {
  const env = { SECRETS_KEYS: newSecretsKeys(), ...options.env }
  const first = await startTestServer({ ...options, env })
  const second = await serveDatabase(first.db, first.databaseUrl, { ...options, env, worker: false })
  cleanUpAfterFile(() => second.stop())
  return [first, second]
}

let people = 0

/** The phone of a person whom no other test writes to, and who behaves like everybody. */
export function newPhone(): string {
  people += 1
  return `1303555${String(2000 + people)}`
}

/** An organization with a number that works. */
export type Sender = MadeOrganization & { readonly containerId: string }

/** Makes one. */
export async function makeSender(server: TestServer, options: { granted?: boolean } = {}): Promise<Sender> {
  const organization = await makeOrganization(server, options)
  return { ...organization, containerId: await makeNumber(server, organization) }
}

/** A client that sends no Idempotency-Key. */
export function withoutKeys({ baseUrl }: TestServer, { apiKey }: { readonly apiKey: string }): MessagingClient {
  return new MessagingClient({ baseUrl, apiKey, maxRetries: 0, idempotency: 'off' })
}

/** The texts that a phone got from a number, oldest first. */
export async function textsTo(server: TestServer, containerId: string, phone: string): Promise<string[]> {
  const got = (await transcriptOf(server, containerId)).filter(({ to }) => to === phone)
  return got.map(({ content }) => (content as { text: string }).text)
}

/** The last code that a phone got from a number. */
export async function codeTo(server: TestServer, containerId: string, phone: string): Promise<string> {
  const code = /\b\d{4,8}\b/.exec((await textsTo(server, containerId, phone)).at(-1) ?? '')?.[0]
  if (code === undefined) throw new Error('no code came')
  return code
}

/** A code of the same length that is another one. */
export function wrongFor(code: string, by = 1): string {
  return String((Number(code) + by) % 10 ** code.length).padStart(code.length, '0')
}
