import path from 'node:path'
import { newSecretsKeys } from '@msgctl/network/secrets'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { collectEvidence } from './evidence.ts'
import { type DirectNetwork, startDirectNetwork } from './network.ts'

/** Whether TEST_GATEWAY names the sockets of our own, over the test network of the gateway host. */
export const testsDirect = process.env.TEST_GATEWAY === 'direct'

/** The settings of a service that is tested over gateway hosts. All services at one database share their keys. */
export const directEnvironment = {
  GATEWAY: 'direct',
  SECRETS_KEYS: newSecretsKeys(),
  // Tests send to many new people at once, and check long lists.
  GUARD: 'off',
  CHECKS_PER_NUMBER_PER_MINUTE: '12000',
  CHECKS_PER_NUMBER_PER_DAY: '1000000',
} as const

const byDatabase = new WeakMap<Db, Promise<DirectNetwork>>()

/**
 * Starts a test network and a gateway host at the database of a test, with the first of its services. They end with the
 * test file. What the host wrote goes to the folder TEST_EVIDENCE, if it is set.
 */
export function useDirectNetwork(db: Db, databaseUrl: string, services: Services): Promise<DirectNetwork> {
  const known = byDatabase.get(db)
  if (known) return known
  const starting = start(db, databaseUrl, services)
  byDatabase.set(db, starting)
  cleanUpAfterFile(async () => (await starting.catch(() => null))?.stop())
  return starting
}

async function start(db: Db, databaseUrl: string, { config }: Services): Promise<DirectNetwork> {
  const { TEST_EVIDENCE: folder } = process.env
  const { pathname } = new URL(databaseUrl)
  const evidence = folder ? await collectEvidence(db, path.join(folder, pathname.slice(1))) : null
  return startDirectNetwork({ db, databaseUrl, config, evidence })
}

/** Returns the test network at the database of a test; null where another network is tested. */
export async function directNetworkOf(db: Db): Promise<DirectNetwork | null> {
  return (await byDatabase.get(db)) ?? null
}
