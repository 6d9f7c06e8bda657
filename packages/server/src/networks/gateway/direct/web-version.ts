import { fetchWebVersion, isNewerVersion, releasedWebVersion, WebVersionError } from '@msgctl/network/web-version'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { readWebVersion, type StoredWebVersion, writeWebVersion, writeWebVersionFault } from './web-version-store.ts'

/** The version that gateway hosts claim to be, unless their settings name another one. */
export interface WebVersion extends Omit<StoredWebVersion, 'version' | 'source' | 'knownAt'> {
  readonly version: string
  readonly source: 'fetched' | 'set' | 'release'
  /** When it was last known to be the present one. */
  readonly knownAt: Date
}

/** Returns the version that gateway hosts claim to be: the stored one, unless that of the release is newer. */
export async function findWebVersion(db: Db): Promise<WebVersion> {
  const { version, source, knownAt, triedAt, fault } = await readWebVersion(db)
  const released = releasedWebVersion
  const isUsed = version !== null && (source === 'set' || !isNewerVersion(released.version, version))
  return isUsed && source !== null && knownAt !== null
    ? { version, source, knownAt, triedAt, fault }
    : { version: released.version, source: 'release', knownAt: released.at, triedAt, fault }
}

/** Fetches the present version and stores it, or why that failed. Returns why; null when it was stored. */
export async function fetchAndStore(db: Db, url: string): Promise<string | null> {
  try {
    await writeWebVersion(db, await fetchWebVersion(url), 'fetched')
    return null
  } catch (error) {
    if (!(error instanceof WebVersionError)) throw error
    await writeWebVersionFault(db, error.message)
    return error.message
  }
}

/** Fetches the present version each day. A failure is no failure of the job: hosts use the last one. */
export async function refreshWebVersion({ db, config, log }: Services): Promise<void> {
  const fault = await fetchAndStore(db, config.gatewayWebVersionUrl)
  if (fault !== null) log.info({ event: 'web_version_not_fetched', fault }, 'failed to fetch the web version')
}
