import type { Json } from '@msgctl/network/session'
import type { WahaClient } from './client.ts'
import { shallowJson } from './envelope.ts'
import type { Host } from './hosts.ts'

/** Where a session shows what a person must do in a status. */
const paths: ReadonlyMap<string, string> = new Map([
  ['PASSKEY_REQUIRED', 'challenge'],
  ['PASSKEY_CONFIRMATION_REQUIRED', 'confirmation'],
])

/**
 * Reads the challenge of a passkey or the code to compare, by the status of the session. Returns undefined for another
 * status, and when it cannot be read: it may be gone by now.
 */
export async function readPasskey(
  client: Pick<WahaClient, 'call'>,
  host: Host,
  { containerId, status }: { readonly containerId: string; readonly status: string },
): Promise<Json | undefined> {
  const step = paths.get(status)
  if (step === undefined) return undefined
  const path = `/api/${containerId}/auth/passkey/${step}`
  const response = await client.call(host, { method: 'GET', path }).catch(() => null)
  const parsed = shallowJson.safeParse(response?.body)
  return parsed.success ? parsed.data : undefined
}
