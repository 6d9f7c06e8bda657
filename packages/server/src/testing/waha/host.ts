import type { Secrets } from '@msgctl/network/secrets'
import { findHostByUrl, saveHost } from '#networks/gateway/waha/host-store.ts'
import { keyLocation } from '#networks/gateway/waha/hosts.ts'
import type { Db } from '#platform/db/db.ts'
import type { FakeWaha } from './fake-waha.ts'

/** What signs the webhooks of a fake server. */
export const fakeHookKey = 'the-key-of-the-webhooks'

/** Adds a fake server as a host of the service. Returns its id. */
export async function addFakeHost(
  db: Db,
  secrets: Secrets,
  { url, key, engine }: Pick<FakeWaha, 'url' | 'key' | 'engine'>,
  capacity = 10_000,
): Promise<string> {
  // A port is used again after its server has stopped.
  const id = (await findHostByUrl(db, url))?.id ?? crypto.randomUUID()
  await saveHost(db, {
    id,
    url,
    sealedKey: secrets.encrypt(key, keyLocation(id, 'key')),
    sealedHookKey: secrets.encrypt(fakeHookKey, keyLocation(id, 'hook_key')),
    engine,
    version: '2026.9.2',
    capacity,
    groups: true,
  })
  return id
}
