import { setTimeout as wait } from 'node:timers/promises'
import type { AuthenticationCreds, SignalDataSet, SignalDataTypeMap, SignalKeyStore } from 'baileys'
import type { Pool, QueryConfig, QueryResultRow } from 'pg'
import { type Batch, emptyBatch, type InboxEvent, joinBatches, type SentMessage } from './batch.ts'
import type { Committer, Staged } from './committer.ts'
import { Fenced } from './fenced.ts'
import { KeyCaches } from './key-cache.ts'
import { isRarelyRead, kindNumber, unpack } from './key-kinds.ts'
import { unseal } from './sealing.ts'

/** What a vault is opened with. */
export interface VaultOptions {
  readonly containerId: string
  readonly organizationId: string
  /** The epoch of the lease under which everything is stored. */
  readonly epoch: string
  readonly dataKey: Buffer
  readonly creds: AuthenticationCreds
  readonly pool: Pool
  readonly committer: Committer
  /** How many keys are kept in memory, and as many facts about people (default: 2,000). */
  readonly cacheSize?: number
}

interface Waiting {
  readonly mark: number
  resolve(): void
  reject(error: Error): void
}

const readRetryMs = 200

function newSignal() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

/**
 * The keys of one number, what it sent and what it received. Changes are staged in memory, read back from there at
 * once, and committed together with those of other numbers. A mark stands for everything that was staged before it.
 */
export class Vault implements Staged {
  readonly containerId: string
  readonly organizationId: string
  readonly epoch: string
  readonly dataKey: Buffer
  readonly creds: AuthenticationCreds
  /** The keys as the library reads and writes them. */
  readonly keys: SignalKeyStore
  /** Called once when another process owns the number. */
  onFenced: () => void = () => undefined
  isUrgent = false
  isFenced = false
  readonly #pool: Pool
  readonly #committer: Committer
  readonly #cache: KeyCaches
  #staged = emptyBatch()
  #inFlight: { readonly batch: Batch; readonly mark: number } | null = null
  #mark = 0
  #committed = 0
  #waiting: Waiting[] = []
  #holds = 0
  /** Set while a commit waits for the holds: new ones wait for the commit, so that it comes at all. */
  #released: ReturnType<typeof newSignal> | null = null

  constructor(options: VaultOptions) {
    this.containerId = options.containerId
    this.organizationId = options.organizationId
    this.epoch = options.epoch
    this.dataKey = options.dataKey
    this.creds = options.creds
    this.#pool = options.pool
    this.#committer = options.committer
    this.#cache = new KeyCaches(options.cacheSize ?? 2000, (name) => this.#isUncommitted(name))
    this.keys = { get: (type, ids) => this.#readKeys(type, ids), set: (data) => this.#stageKeys(data) }
  }

  /** Everything that was staged up to now. */
  get mark(): number {
    return this.#mark
  }

  get isHeld(): boolean {
    return this.#holds > 0
  }

  /**
   * Runs work whose changes belong into one commit: a ratchet, and the event of what it decrypted. Nothing of the
   * number is committed before the work ends.
   */
  async inOneCommit<T>(work: () => Promise<T>): Promise<T> {
    while (this.#released) await this.#released.promise
    this.#holds++
    try {
      return await work()
    } finally {
      this.#holds--
      if (this.#holds === 0 && !this.isCommitted(this.#mark)) this.#committer.notify(this)
    }
  }

  isCommitted(mark: number): boolean {
    return this.#committed >= mark
  }

  /** Resolves when everything up to a mark is on disk. Throws {@link Fenced} when another process owns the number. */
  committed(mark = this.#mark): Promise<void> {
    if (this.isFenced) return Promise.reject(new Fenced())
    if (this.isCommitted(mark)) return Promise.resolve()
    this.isUrgent = true
    if (this.isHeld) this.#released ??= newSignal()
    this.#committer.notify(this)
    return new Promise((resolve, reject) => this.#waiting.push({ mark, resolve, reject }))
  }

  /** Stages the credentials, which the library changes in place. */
  stageCreds(): void {
    this.#staged.credsChanged = true
    this.#changed()
  }

  /** Stages a message that is about to leave, for phones that request it again and for repeated sends. */
  stageSent(message: SentMessage): void {
    this.#staged.sent.push(message)
    this.#changed()
  }

  /** Stages that the network accepted a message. */
  stageAcked(id: string): void {
    this.#staged.acked.push(id)
    this.#changed()
  }

  /** Stages that a phone received a message. */
  stageDelivered(id: string): void {
    this.#staged.delivered.push(id)
    this.#changed()
  }

  /** Stages an event. It is stored in the same commit as the ratchet that decrypted it. */
  stageEvent(event: InboxEvent): void {
    this.#staged.inbox.push(event)
    this.#changed()
  }

  /** Stages one value of our own kinds. */
  stageValue(kind: number, id: string, value: unknown): void {
    const name = `${kind}/${id}`
    this.#staged.keys.set(name, { kind, id, value: value ?? null })
    this.#cache.set(name, value ?? undefined)
    this.#changed()
  }

  /** Returns values by their ids; an id without a value is missing. */
  async readValues(kind: number, ids: readonly string[]): Promise<Map<string, unknown>> {
    const missing = ids.filter((id) => !this.#cache.has(`${kind}/${id}`))
    const loaded = missing.length > 0 ? await this.#load(kind, missing) : new Map<string, unknown>()
    const found = ids.map((id) => {
      const name = `${kind}/${id}`
      return [id, this.#cache.has(name) ? this.#cache.get(name) : loaded.get(id)] as const
    })
    return new Map(found.filter(([, value]) => value !== undefined))
  }

  /** Returns all values of a kind, by their ids. */
  async readAllValues(kind: number): Promise<Map<string, unknown>> {
    await this.committed()
    return this.#find(kind, null)
  }

  /** Returns a message that was sent, and whether the network accepted it; null for none. */
  async findSent(id: string): Promise<{ readonly message: Buffer; readonly acked: boolean } | null> {
    const staged = [...this.#staged.sent, ...(this.#inFlight?.batch.sent ?? [])].find((sent) => sent.id === id)
    const rows = await this.#read<{ message: Buffer; acked: boolean }>({
      name: 'find-sent',
      text: `select message, acked_at is not null as acked from gateway_sent where container_id = $1
        and network_id = $2`,
      values: [this.containerId, id],
    })
    const [row] = rows
    const acked = row?.acked || this.#staged.acked.includes(id) || this.#inFlight?.batch.acked.includes(id) === true
    if (row) return { message: unseal(this.dataKey, `${this.containerId}/sent/${id}`, row.message), acked }
    return staged ? { message: Buffer.from(staged.message), acked } : null
  }

  /**
   * Replaces the link of the number: `store` changes what is stored, while nothing of the number is committed. The
   * memory follows only after it. What was staged of the keys since then belongs to the old link, and is dropped.
   */
  async replaceLink(creds: AuthenticationCreds, store: () => Promise<void>): Promise<void> {
    do await this.committed()
    while (!this.isCommitted(this.#mark))
    await this.inOneCommit(async () => {
      await store()
      this.#staged.keys.clear()
      this.#staged.credsChanged = false
      this.#cache.clear()
      for (const name of Object.keys(this.creds)) Reflect.deleteProperty(this.creds, name)
      Object.assign(this.creds, creds)
    })
  }

  take(): Batch {
    const batch = this.#staged
    this.#released?.resolve()
    this.#released = null
    this.#staged = emptyBatch()
    this.#inFlight = { batch, mark: this.#mark }
    this.isUrgent = false
    return batch
  }

  done(batch: Batch): void {
    this.#committed = this.#inFlight?.mark ?? this.#committed
    this.#inFlight = null
    for (const [name, { kind }] of batch.keys) {
      if (isRarelyRead(kind) && !this.#staged.keys.has(name)) this.#cache.delete(name)
    }
    const ready = this.#waiting.filter(({ mark }) => mark <= this.#committed)
    this.#waiting = this.#waiting.filter(({ mark }) => mark > this.#committed)
    for (const { resolve } of ready) resolve()
    if (this.#waiting.length > 0) this.isUrgent = true
  }

  putBack(batch: Batch): void {
    this.#inFlight = null
    this.#staged = joinBatches(batch, this.#staged)
    if (this.#waiting.length > 0) this.isUrgent = true
  }

  fence(): void {
    if (this.isFenced) return
    this.isFenced = true
    this.#released?.resolve()
    this.#released = null
    for (const { reject } of this.#waiting.splice(0)) reject(new Fenced())
    this.#committer.notify(this)
    this.onFenced()
  }

  #changed(): void {
    if (this.isFenced) throw new Fenced()
    this.#mark++
    this.#committer.notify(this)
  }

  #isUncommitted(name: string): boolean {
    return this.#staged.keys.has(name) || this.#inFlight?.batch.keys.has(name) === true
  }

  async #readKeys<Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) {
    const found = await this.readValues(kindNumber(type), ids)
    return Object.fromEntries(found) as Record<string, SignalDataTypeMap[Type]>
  }

  async #stageKeys(data: SignalDataSet): Promise<void> {
    for (const [type, values] of Object.entries(data)) {
      const kind = kindNumber(type)
      for (const [id, value] of Object.entries(values ?? {})) this.stageValue(kind, id, value)
    }
  }

  async #load(kind: number, ids: string[]): Promise<Map<string, unknown>> {
    const loaded = await this.#find(kind, ids)
    for (const id of ids) {
      const name = `${kind}/${id}`
      // It may have been staged since the query.
      if (!this.#cache.has(name)) this.#cache.set(name, loaded.get(id))
    }
    return loaded
  }

  async #find(kind: number, ids: string[] | null): Promise<Map<string, unknown>> {
    const rows = await this.#read<{ id: string; value: Buffer }>({
      name: ids ? 'find-keys' : 'find-all-keys',
      text: `select id, value from gateway_keys where container_id = $1 and kind = $2 ${ids ? 'and id = any($3)' : ''}`,
      values: ids ? [this.containerId, kind, ids] : [this.containerId, kind],
    })
    const open = (id: string, value: Buffer) =>
      unpack(kind, unseal(this.dataKey, `${this.containerId}/${kind}/${id}`, value))
    return new Map(rows.map(({ id, value }) => [id, open(id, value)]))
  }

  /** Reads until the database responds: the library takes a session that cannot be read for one that does not exist. */
  async #read<Row extends QueryResultRow>(query: QueryConfig): Promise<Row[]> {
    for (;;) {
      try {
        return (await this.#pool.query<Row>(query)).rows
      } catch (error) {
        if (this.isFenced) throw new Fenced()
        this.#committer.failed(error)
        await wait(readRetryMs)
      }
    }
  }
}
