import type { Pool, QueryResultRow } from 'pg'

/** What the server wants of a number. */
export interface Wanted {
  readonly wanted: 'running' | 'stopped'
  /** What its owner still has to do. */
  readonly request: 'restart' | 'logout' | 'renew' | null
}

/** A lease that this process has taken, with what is stored of the number. */
export interface Lease extends Wanted {
  readonly containerId: string
  readonly organizationId: string
  readonly epoch: string
  readonly sealedKey: string | null
  readonly creds: Buffer | null
  readonly sealedProxy: string | null
  /** Whether another host lost the number while it was running. */
  readonly wasRunning: boolean
  /** Whether it was linked when its state was reported last. */
  readonly isLinked: boolean
}

/** What other processes and operators see of a host. */
export interface RegisteredHost {
  readonly url: string
  readonly version: string
  readonly capacity: number
  readonly draining: boolean
  /** The version that it claims to be by its settings; null: the stored one. */
  readonly webVersion: string | null
}

/** The calls of the leases; each is one statement. */
export class LeaseStore {
  readonly #pool: Pool
  readonly #hostId: string
  readonly #leaseMs: number

  constructor(pool: Pool, hostId: string, leaseMs: number) {
    this.#pool = pool
    this.#hostId = hostId
    this.#leaseMs = leaseMs
  }

  /** Registers this process, or renews its row. */
  async register(host: RegisteredHost): Promise<void> {
    await this.#query(
      `insert into gateway_hosts (id, url, version, capacity, draining, web_version, started_at, seen_at)
       values ($1, $2, $3, $4, $5, $6, gateway_clock(), gateway_clock())
       on conflict (id) do update set seen_at = excluded.seen_at, draining = excluded.draining`,
      [this.#hostId, host.url, host.version, host.capacity, host.draining, host.webVersion],
    )
  }

  /**
   * Takes leases of numbers that run or have a request, and that no process owns. A number stays with its last host for
   * 30 s after the lease ended while that host is alive, so that a restart does not move it. Without `withDirect`,
   * linked numbers without a proxy are left where they are.
   */
  claim(most: number, withDirect = true): Promise<Lease[]> {
    return this.#query<Lease & QueryResultRow>(
      `with free as (
         select s.container_id, s.host_id is not null as "wasRunning" from gateway_sessions s
          where (s.wanted = 'running' or s.request is not null) and s.lease_until < gateway_clock()
            and (s.last_host_id is null or s.last_host_id = $1 or s.lease_until < gateway_clock() - interval '30 s'
                 or not exists (select 1 from gateway_hosts h where h.id = s.last_host_id and not h.draining
                                   and h.seen_at > gateway_clock() - $2 * interval '1 ms'))
            and ($4 or s.me is null or s.sealed_proxy is not null or s.request is not null)
          order by s.lease_until limit $3 for update skip locked
       )
       update gateway_sessions s set host_id = $1, last_host_id = $1, epoch = s.epoch + 1,
              lease_until = gateway_clock() + $2 * interval '1 ms'
         from free where s.container_id = free.container_id
       returning s.container_id as "containerId", s.organization_id as "organizationId", s.epoch::text, s.wanted,
                 s.request, s.sealed_key as "sealedKey", s.creds, s.sealed_proxy as "sealedProxy", free."wasRunning",
                 s.me is not null as "isLinked"`,
      [this.#hostId, this.#leaseMs, most, withDirect],
    )
  }

  /** Renews all leases of this process. Returns those that it still has, with what the server wants of them. */
  renew(): Promise<(Wanted & { containerId: string; epoch: string })[]> {
    return this.#query(
      `with own as (
         select container_id from gateway_sessions where host_id = $1 and lease_until > gateway_clock()
          order by container_id for no key update
       )
       update gateway_sessions s set lease_until = gateway_clock() + $2 * interval '1 ms'
         from own where s.container_id = own.container_id
       returning s.container_id as "containerId", s.epoch::text, s.wanted, s.request`,
      [this.#hostId, this.#leaseMs],
    )
  }

  /** Ends the leases of numbers, so that another process can take them at once. */
  async release(containerIds: readonly string[]): Promise<void> {
    await this.#query(
      `update gateway_sessions set host_id = null, lease_until = gateway_clock()
        where host_id = $1 and container_id = any($2)`,
      [this.#hostId, containerIds],
    )
  }

  /** Ends all leases of this process and deletes its row. */
  async leave(): Promise<void> {
    await this.#query(
      `with released as (
         update gateway_sessions set host_id = null, lease_until = gateway_clock() where host_id = $1
       ) delete from gateway_hosts where id = $1`,
      [this.#hostId],
    )
  }

  /** Returns the encrypted proxy of a number; null for none. */
  async findProxy(containerId: string): Promise<string | null> {
    const [found] = await this.#query<{ sealedProxy: string | null }>(
      'select sealed_proxy as "sealedProxy" from gateway_sessions where container_id = $1',
      [containerId],
    )
    return found?.sealedProxy ?? null
  }

  /** Stores the key of a number that has none yet. */
  async storeKey(lease: Pick<Lease, 'containerId' | 'epoch'>, sealedKey: string): Promise<void> {
    await this.#query('update gateway_sessions set sealed_key = $3 where container_id = $1 and epoch = $2', [
      lease.containerId,
      lease.epoch,
      sealedKey,
    ])
  }

  async #query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    return (await this.#pool.query<Row>(text, values)).rows
  }
}
