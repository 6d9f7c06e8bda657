import { MessagingClient } from '@msgctl/client'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { newId } from '#platform/db/new-id.ts'
import { newNetworkId } from '#sending/messages/queue/enqueue.ts'
import type { OtpEntry } from '#sending/otp/admit.ts'
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

/** A code of this organization with its message, as they are stored, and with the key of its request if it has one. */
export function entryOf({ organizationId, containerId }: Sender, key?: string): OtpEntry {
  const [requestId, phone] = [newId(), newPhone()]
  const otp = { requestId, organizationId, containerId, phone, mac: Buffer.alloc(32), pepper: 'stored' }
  const shown = { type: 'otp', kind: 'text', recipient: phone, content: '[OTP MESSAGE]', pinned: false } as const
  const held = {
    clientReference: null,
    sentBy: 'key',
    networkClientId: newNetworkId(),
    leaseToken: crypto.randomUUID(),
  } as const
  const scope = { organizationId, credential: 'account', route: 'otp.send', key: key ?? '' }
  const kept = { requestHash: Buffer.alloc(32), messageId: requestId, status: null, body: null }
  const claim = key === undefined ? null : { ...scope, ...kept }
  return { otp, row: { ...shown, ...held, id: requestId, organizationId, containerId }, claim }
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
