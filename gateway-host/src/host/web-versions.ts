import { fetchWebVersion, isNewerVersion, releasedWebVersion, WebVersionError } from '@msgctl/network/web-version'
import type { Pool } from 'pg'
import type { HostConfig } from '../process/config.ts'
import type { HostLog } from '../process/log.ts'

/** How the version of a host is found. */
interface WebVersionSource {
  readonly pool: Pool
  /** The version that the settings name; null: the stored one. */
  readonly fixed: string | null
  /** The file that names the present version; null: nothing is fetched. */
  readonly url: string | null
  readonly log: HostLog
}

/** Returns the version that a host claims whatever is stored; null: it follows the stored one. */
export function fixedVersion({ webVersion, webVersionUrl }: HostConfig): string | null {
  return webVersion ?? (webVersionUrl === null ? releasedWebVersion.version : null)
}

/** The stored version, and whether it was fetched within the last ten minutes, or tried to be. */
interface Stored {
  readonly version: string | null
  readonly source: 'fetched' | 'set' | null
  readonly wasTried: boolean
}

/**
 * The version of the network's own client that connections claim to be. It is data of all hosts, which a worker
 * refreshes each day; a host fetches it when there is none, and when the network refuses it.
 */
export class WebVersions {
  readonly #source: WebVersionSource
  #last: string = releasedWebVersion.version
  #fetching: Promise<void> | null = null

  constructor(source: WebVersionSource) {
    this.#source = source
  }

  /** The version that the settings name; null: the stored one. */
  get fixed(): string | null {
    return this.#source.fixed
  }

  /** Returns the version for the next connection; without the database the last one. Never throws. */
  async current(): Promise<string> {
    if (this.fixed !== null) return this.fixed
    try {
      let stored = await this.#read()
      if (stored === null) {
        await this.#fetch()
        stored = await this.#read()
      }
      this.#last = versionOf(stored)
    } catch (err) {
      this.#source.log.warn({ event: 'web_version_not_read', err }, 'failed to read the web version')
    }
    return this.#last
  }

  /**
   * Returns another version than the one that the network refused, or null when there is none. It is fetched once for
   * all numbers, at most every ten minutes. Throws when the database fails: then nothing is known.
   */
  async replace(refused: string): Promise<string | null> {
    if (this.fixed !== null) return null
    let stored = await this.#read()
    if (versionOf(stored) === refused && !stored?.wasTried) {
      await this.#fetch()
      stored = await this.#read()
    }
    this.#last = versionOf(stored)
    return this.#last === refused ? null : this.#last
  }

  /** Fetches the present version and stores it, or why that failed: one request at a time. */
  #fetch(): Promise<void> {
    this.#fetching ??= this.#fetchOnce().finally(() => {
      this.#fetching = null
    })
    return this.#fetching
  }

  async #fetchOnce(): Promise<void> {
    const { url, log } = this.#source
    if (url === null) return
    try {
      const version = await fetchWebVersion(url)
      log.info({ event: 'web_version_fetched', version }, 'fetched the web version')
      await this.#store(version, null)
    } catch (error) {
      if (!(error instanceof WebVersionError)) throw error
      log.info({ event: 'web_version_not_fetched', fault: error.message }, 'failed to fetch the web version')
      await this.#store(null, error.message)
    }
  }

  async #read(): Promise<Stored | null> {
    const { rows } = await this.#source.pool.query<Stored>(
      `select version, source, coalesce(tried_at > service_now() - interval '10 minutes', false) as "wasTried"
         from gateway_web_version`,
    )
    return rows[0] ?? null
  }

  async #store(version: string | null, fault: string | null): Promise<void> {
    await this.#source.pool.query(
      `insert into gateway_web_version as stored (version, source, known_at, tried_at, fault)
       select version, case when version is not null then 'fetched' end, case when version is not null then now end,
              now, $2
         from (select $1::text as version, service_now() as now) t
       on conflict (only_row) do update
          set version = coalesce(excluded.version, stored.version), source = coalesce(excluded.source, stored.source),
              known_at = coalesce(excluded.known_at, stored.known_at), tried_at = excluded.tried_at,
              fault = excluded.fault`,
      [version, fault],
    )
  }
}

/** The stored version, unless that of the release is newer. One that an operator set is used in any case. */
function versionOf(stored: Stored | null): string {
  const { version: released } = releasedWebVersion
  if (!stored?.version) return released
  return stored.source === 'fetched' && isNewerVersion(released, stored.version) ? released : stored.version
}
