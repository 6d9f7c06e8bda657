import { MessagingError } from '@msgctl/client'
import { rows } from '#platform/db/db.ts'
import type { FileServer } from '#testing/file-server.ts'
import type { TestClient, TestServer } from '#testing/start-server.ts'

/** What the uses of limits share. */
export interface LimitWorld {
  readonly server: TestServer
  readonly files: FileServer
}

/** Makes one call that a limit counts. Returns the code of its error, or undefined. */
export type LimitedCall = () => Promise<string | undefined>

/** The calls of two callers that a limit counts apart. */
export interface LimitedCallers {
  readonly a: LimitedCall
  readonly b: LimitedCall
  /** Counts with the first, where there is another such caller. */
  readonly likeA?: LimitedCall
  /** Uses up the limit of the first caller, after one call. Default: its window in attempt_windows. */
  readonly useUp?: () => Promise<unknown>
}

/** Makes two callers that a limit counts apart. */
export type LimitUse = (world: LimitWorld) => Promise<LimitedCallers>

/** Stores the rows of an organization again and again, as if it had made the same call so often. */
export async function repeatRows(
  { server }: LimitWorld,
  table: 'event_streams' | 'mcp_actions' | 'mcp_sends' | 'otp_requests',
  organizationId: string,
): Promise<void> {
  await rows(
    server.db,
    `insert into ${table}
     select (jsonb_populate_record(stored, jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', n, 'phone',
           n))).*
       from ${table} stored, generate_series(1, 300) n where stored.organization_id = :organizationId`,
    { organizationId },
  )
}

/** Returns the code of the error that a call of our client ends with. */
export async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    if (error instanceof MessagingError) return error.code
    throw error
  }
}

/** Returns the code of an error that is responded to a request by hand. */
export async function codeOfResponse(response: Promise<Response>): Promise<string | undefined> {
  const { status, ...answered } = await response.then(async (one) => ({ status: one.status, text: await one.text() }))
  if (status < 400) return undefined
  const parsed: unknown = answered.text.startsWith('{') ? JSON.parse(answered.text) : {}
  const { error } = parsed as { readonly error?: string | { readonly code?: string } }
  return typeof error === 'object' ? error.code : (error ?? String(status))
}

let networks = 0

/** Returns an address of a network that no other test uses. */
export function newAddress(): string {
  networks += 1
  return `2001:db8:${networks.toString(16)}::1`
}

/** Returns a client at this address. */
export function clientAt({ server }: LimitWorld, ip = newAddress()): TestClient {
  return server.client({ headers: { 'x-forwarded-for': ip } })
}
