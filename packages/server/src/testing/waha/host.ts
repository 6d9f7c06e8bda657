import type { Db } from '../../db/db.ts'
import { findHostByUrl, saveHost } from '../../gateway/waha/host-store.ts'
import { keyLocation } from '../../gateway/waha/hosts.ts'
import type { Secrets } from '../../secrets.ts'
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
    version: '2026.7.1',
    capacity,
  })
  return id
}
