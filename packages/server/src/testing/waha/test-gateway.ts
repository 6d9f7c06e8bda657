import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { pino } from 'pino'
import { startClock } from '#platform/db/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { startWake } from '#platform/db/wake.ts'
import type { Config } from '#process/config.ts'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import type { EngineName } from './failures.ts'
import { type FakeWaha, type FakeWahaOptions, startFakeWaha } from './fake-waha.ts'
import { addFakeHost } from './host.ts'

/** The engine of the fake server that TEST_GATEWAY names; null over the simulator. */
export const testedEngine: EngineName | null = engineOf(process.env.TEST_GATEWAY)

function engineOf(name: string | undefined): EngineName | null {
  switch (name) {
    case undefined:
    case 'simulator':
    case 'direct':
      return null
    case 'waha':
      return 'GOWS'
    case 'waha-noweb':
      return 'NOWEB'
    default:
      throw new Error(`TEST_GATEWAY must be simulator, waha, waha-noweb or direct, not ${name}`)
  }
}

/**
 * Returns the events of a message, which over NOWEB begin with message.sent: that engine reports a send by a receipt.
 */
export function withSent<T extends string>(events: readonly T[]): (T | 'message.sent')[] {
  return testedEngine === 'NOWEB' ? ['message.sent', ...events] : [...events]
}

/** Where webhooks go; the fake server knows the present address of the service. */
const callbackUrl = 'http://service.test'
const secretsKeys = newSecretsKeys()

/** The settings of a service that is tested over a fake WAHA server. All services at one database share their keys. */
export const wahaEnvironment = {
  GATEWAY: 'waha',
  GATEWAY_CALLBACK_URL: callbackUrl,
  SECRETS_KEYS: secretsKeys,
  // Tests send to many new people at once, and check long lists.
  GUARD: 'off',
  CHECKS_PER_NUMBER_PER_MINUTE: '12000',
  CHECKS_PER_NUMBER_PER_DAY: '1000000',
} as const

interface Shared {
  readonly fake: FakeWaha
  readonly addresses: string[]
  stop(): Promise<void>
}

const sharedByUrl = new Map<string, Promise<Shared>>()

/** A service that uses the fake server of its database. */
export interface FakeWahaUser {
  readonly fake: FakeWaha
  /** The service is about to stop and takes no further webhooks. */
  leave(): void
}

/** Lets a service at `address` use the fake server of its database, which starts with the first service. */
export async function useFakeWaha(
  db: Db,
  databaseUrl: string,
  service: { readonly address: string; readonly config: Config },
  options: Pick<FakeWahaOptions, 'road' | 'waitForWebhooks'> = { waitForWebhooks: true },
): Promise<FakeWahaUser> {
  const shared = await (sharedByUrl.get(databaseUrl) ?? startShared(db, databaseUrl, service.config, options))
  shared.addresses.push(service.address)
  return {
    fake: shared.fake,
    leave() {
      shared.addresses.splice(shared.addresses.indexOf(service.address), 1)
    },
  }
}

/** The server outlives the services, as a real one does: it ends with the test file. */
function startShared(db: Db, databaseUrl: string, config: Config, options: FakeWahaOptions): Promise<Shared> {
  const starting = start(db, databaseUrl, config, options)
  sharedByUrl.set(databaseUrl, starting)
  cleanUpAfterFile(async () => {
    sharedByUrl.delete(databaseUrl)
    await (await starting).stop()
  })
  return starting
}

async function start(db: Db, databaseUrl: string, config: Config, options: FakeWahaOptions): Promise<Shared> {
  const clock = await startClock(db, { followMs: 100 })
  const wake = startWake(db, databaseUrl)
  const unsubscribe = wake.on('clock', () => void clock.sync().catch(() => undefined))
  const addresses: string[] = []
  let turns = 0
  const sim = { db, clock, wake, log: pino({ level: 'silent' }), config, secrets: openSecrets(config.secretsKeys) }
  const fake = await startFakeWaha(sim, {
    engine: testedEngine ?? 'GOWS',
    hangMs: 20,
    ...options,
    resolve(url) {
      const address = addresses[turns++ % addresses.length]
      return address === undefined ? null : url.replace(callbackUrl, address)
    },
  })
  await addFakeHost(db, openSecrets(config.secretsKeys), fake)
  return {
    fake,
    addresses,
    async stop() {
      await fake.stop()
      unsubscribe()
      clock.stop()
      await wake.stop()
    },
  }
}
