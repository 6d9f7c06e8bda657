import { proxyLocation } from '@msgctl/network/proxy-address'
import type { Lease, LeaseStore, Wanted } from '../leases/lease-store.ts'
import { openVault, type VaultContext } from '../leases/open-vault.ts'
import { HostedNumber } from '../number/number.ts'
import type { NumberContext } from '../number/number-context.ts'
import { finishRequest } from '../number/state-store.ts'
import { renewSessions } from '../vault/renewal.ts'
import { type DirectPace, loginsPerSecond } from './login-pace.ts'

/** What a host works with. */
export interface HostContext extends VaultContext, NumberContext {
  readonly leases: LeaseStore
  readonly leaseMs: number
  readonly capacity: number
  /** Where servers reach this process. */
  readonly url: string
  readonly version: string
  readonly onFenced: () => void
  /** Limits how many linked numbers without a proxy the host takes. */
  readonly direct: Pick<DirectPace, 'room' | 'take'>
}

const pollEveryMs = 1000
/** How often a host checks within a lease that it is still safe. */
const checksInLease = 30

/** The numbers of one process: it takes leases, renews them, and does what the server wants of each number. */
export class Host {
  readonly #context: HostContext
  readonly #numbers = new Map<string, HostedNumber>()
  readonly #busy = new Map<string, Promise<void>>()
  /** Numbers that the last renewal named and that this process does not hold. */
  #unheld: ReadonlySet<string> = new Set()
  #isStopping = false
  #timers: NodeJS.Timeout[] = []
  #polling: Promise<void> = Promise.resolve()

  constructor(context: HostContext) {
    this.#context = context
  }

  get numbers(): ReadonlyMap<string, HostedNumber> {
    return this.#numbers
  }

  /** Registers the process, and starts to take and renew leases. */
  async start(): Promise<void> {
    await this.#register()
    this.#timers = [
      setInterval(() => void this.poll(), pollEveryMs),
      setInterval(() => void this.renew(), this.#context.leaseMs / 3),
      // A renewal may also hang. Another process may connect the numbers soon.
      setInterval(() => this.#context.config.leases.isSafe || this.#dropAll(), this.#context.leaseMs / checksInLease),
    ]
    await this.poll()
  }

  /** Takes free leases; called early when the server signals a change. */
  poll(): Promise<void> {
    this.#polling = this.#polling.then(() => this.#claim()).catch((err: unknown) => this.#warn('claim_failed', err))
    return this.#polling
  }

  /** Renews all leases, and does what the server wants of their numbers. */
  async renew(): Promise<void> {
    const startedAtMs = performance.now()
    try {
      await this.#register()
      // A number that opens while the statement runs is not in its result.
      const held = [...this.#numbers]
      const rows = await this.#context.leases.renew()
      const byId = new Map(rows.map((row) => [row.containerId, row]))
      for (const [id, number] of held) {
        const row = byId.get(id)
        if (!row || row.epoch !== number.vault.epoch) number.vault.fence()
        else this.#follow(number, row)
      }
      // After the fences: frames that waited for this leave only for numbers that are still owned.
      this.#context.config.leases.renewed(startedAtMs)
      await this.#releaseUnheld([...byId.keys()])
    } catch (err) {
      this.#warn('renewal_failed', err)
      if (!this.#context.config.leases.isSafe) this.#dropAll()
    }
  }

  /**
   * Releases leases of numbers that were dropped while the leases were not safe, so that a host connects them again.
   * Those that were taken before this renewal are open after the wait; one that is ending may be named once.
   */
  async #releaseUnheld(owned: readonly string[]): Promise<void> {
    await this.#polling
    const unheld = owned.filter((id) => !this.#numbers.has(id))
    const before = this.#unheld
    this.#unheld = new Set(unheld)
    const dropped = unheld.filter((id) => before.has(id))
    if (dropped.length > 0) await this.#context.leases.release(dropped)
  }

  /** Ends all connections, and releases the leases after the last commit. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#polling
    await Promise.all([...this.#busy.values()])
    await Promise.all(
      [...this.#numbers.values()].map(async (number) => {
        await number.stop()
        await number.vault.committed().catch(() => undefined)
      }),
    )
    this.#numbers.clear()
    await this.#context.leases.leave()
  }

  async #register(): Promise<void> {
    const { url, version, capacity, webVersions } = this.#context
    const own = { url, version, capacity, webVersion: webVersions.fixed }
    await this.#context.leases.register({ ...own, draining: this.#isStopping })
  }

  async #claim(): Promise<void> {
    const free = Math.min(this.#context.capacity - this.#numbers.size, loginsPerSecond)
    if (this.#isStopping || free <= 0) return
    const { leases, direct } = this.#context
    const { room } = direct
    const taken = await leases.claim(room > 0 ? Math.min(free, room) : free, room > 0)
    direct.take(taken.filter((lease) => lease.isLinked && lease.sealedProxy === null).length)
    await Promise.all(taken.map((lease) => this.#open(lease).catch((err: unknown) => this.#giveUp(lease, err))))
  }

  async #open(lease: Lease): Promise<void> {
    const vault = await openVault(this.#context, lease)
    const number = new HostedNumber(this.#context, vault, this.#openProxy(lease.containerId, lease.sealedProxy))
    this.#numbers.set(lease.containerId, number)
    vault.onFenced = () => {
      this.#context.onFenced()
      this.#context.log.warn({ event: 'number_fenced', containerId: lease.containerId }, 'lost the lease of a number')
      this.#forget(number)
    }
    const mayStart = lease.request === null || lease.request === 'restart'
    if (lease.wanted === 'running' && mayStart) number.start(lease.wasRunning ? 'host_lost' : 'started')
    this.#follow(number, mayStart ? { ...lease, request: null } : lease)
    if (lease.request === 'restart') await finishRequest(this.#context.pool, vault, lease.request)
  }

  /** Returns the proxy of a number. Throws when it cannot be decrypted: the number must not connect without it. */
  #openProxy(containerId: string, sealed: string | null): string | null {
    return sealed === null ? null : this.#context.secrets.decrypt(sealed, proxyLocation(containerId))
  }

  /** A number that cannot be opened is released: its key may be in the SECRETS_KEYS of another host. */
  async #giveUp({ containerId }: Lease, err: unknown): Promise<void> {
    this.#warn('number_not_opened', err)
    this.#numbers.delete(containerId)
    await this.#context.leases.release([containerId])
  }

  /** Does what the server wants of a number; one thing at a time for each. */
  #follow(number: HostedNumber, { wanted, request }: Wanted): void {
    const { containerId } = number.vault
    if (this.#busy.has(containerId) || (wanted === 'running' && request === null)) return
    const work = this.#obey(number, { wanted, request })
      .catch((err: unknown) => this.#warn('request_failed', err))
      .finally(() => this.#busy.delete(containerId))
    this.#busy.set(containerId, work)
  }

  async #obey(number: HostedNumber, { wanted, request }: Wanted): Promise<void> {
    const { vault } = number
    if (request === 'logout') await number.logout()
    if (request === 'renew') await renewSessions(this.#context.pool, vault)
    if (request === 'restart' && wanted === 'running') await this.#restart(number)
    if (request !== null) await finishRequest(this.#context.pool, vault, request)
    // One that was opened for a request has not been started yet.
    if (wanted === 'running') return number.start(request === 'logout' ? 'logged_out' : 'started')
    await number.stop()
    await number.settled()
    await vault.committed()
    this.#numbers.delete(vault.containerId)
    await this.#context.leases.release([vault.containerId])
  }

  async #restart(number: HostedNumber): Promise<void> {
    const { containerId } = number.vault
    number.proxy = this.#openProxy(containerId, await this.#context.leases.findProxy(containerId))
    await number.restart()
  }

  /** The leases may be over: connections end, and nothing leaves any more. */
  #dropAll(): void {
    const { size } = this.#numbers
    if (size === 0) return
    this.#context.log.warn({ event: 'leases_not_renewed', numbers: size }, 'failed to renew leases; connections end')
    for (const number of this.#numbers.values()) number.vault.fence()
  }

  #forget(number: HostedNumber): void {
    const { containerId } = number.vault
    if (this.#numbers.get(containerId) === number) this.#numbers.delete(containerId)
    void number.stop().catch(() => undefined)
  }

  #warn(event: string, err: unknown): void {
    this.#context.log.warn({ event, err }, 'failed, and is tried again')
  }
}
