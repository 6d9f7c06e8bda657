import { type Db, rows } from '#platform/db/db.ts'

/** What is stored of the version that gateway hosts claim to be. */
export interface StoredWebVersion {
  /** Null before it was ever fetched or set. */
  readonly version: string | null
  readonly source: 'fetched' | 'set' | null
  /** When it was last known to be the present one. */
  readonly knownAt: Date | null
  readonly triedAt: Date | null
  /** Why the last try to fetch it failed. */
  readonly fault: string | null
}

const nothing: StoredWebVersion = { version: null, source: null, knownAt: null, triedAt: null, fault: null }

/** Returns the stored version. */
export async function readWebVersion(db: Db): Promise<StoredWebVersion> {
  const [found] = await rows<StoredWebVersion>(
    db,
    `select version, source, known_at, tried_at, fault from gateway_web_version`,
  )
  return found ?? nothing
}

/** Stores a version that the network named, or that the operator set, which then holds for a day at least. */
export async function writeWebVersion(db: Db, version: string, source: 'fetched' | 'set'): Promise<void> {
  await rows(
    db,
    `insert into gateway_web_version (version, source, known_at, tried_at)
     select :version, :source, now, now from (select service_now() as now) t
     on conflict (only_row) do update
        set version = excluded.version, source = excluded.source, known_at = excluded.known_at, fault = null,
            tried_at = excluded.tried_at`,
    { version, source },
  )
}

/** Stores why the version could not be fetched. */
export async function writeWebVersionFault(db: Db, fault: string): Promise<void> {
  await rows(
    db,
    `insert into gateway_web_version (tried_at, fault) values ((select service_now()), :fault)
     on conflict (only_row) do update set tried_at = excluded.tried_at, fault = excluded.fault`,
    { fault },
  )
}

/**
 * An SQL condition: whether a gateway host uses the stored version, and it was fetched more than a day ago; an hour ago
 * where that failed.
 */
export const isWebVersionDue = `
  exists (select from gateway_hosts where web_version is null and seen_at > gateway_clock() - interval '1 hour')
  and not exists (select from gateway_web_version
                   where tried_at > (select service_now()) - case when fault is null then interval '1 day'
                                                                 else interval '1 hour' end)`

/** Returns whether a gateway host that ran within the last hour claims the stored version. */
export async function isWebVersionUsed(db: Db): Promise<boolean> {
  const found = await rows(
    db,
    `select 1 as used from gateway_hosts where web_version is null and seen_at > gateway_clock() - interval '1 hour'
      limit 1`,
  )
  return found.length > 0
}
