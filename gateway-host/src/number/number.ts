import type { SessionReason } from '@msgctl/contract'
import { GatewayError } from '@msgctl/network/errors'
import type { SessionState } from '@msgctl/network/gateway'
import { jidDecode } from 'baileys'
import type { Closing, Connection } from '../engine/engine.ts'
import type { Vault } from '../vault/vault.ts'
import { type AfterClose, afterClose } from './after-close.ts'
import { translatorOf } from './arrivals.ts'
import { Attempts } from './attempts.ts'
import { ChatTimers } from './chat-timers.ts'
import { logEnd, logRefusal, reasonOf } from './end-log.ts'
import { LimitsWatch } from './limits-watch.ts'
import { LinkEnding } from './link-ending.ts'
import type { NumberContext } from './number-context.ts'
import { People } from './people.ts'
import { Presence } from './presence.ts'
import { StateReporter } from './state-reporter.ts'
import { UploadCache } from './upload-cache.ts'

/** A QR to scan. */
export interface ShownQr {
  readonly text: string
  readonly expiresAt: Date
}

const nameWaitMs = 2000
/** When a number whose version is refused tries again: a worker may have fetched a newer one. */
const outdatedMs = 3_600_000

/** One number at this host: its vault, its connection and its state. */
export class HostedNumber {
  readonly vault: Vault
  /** The address of the proxy for the next connection; null: none. */
  proxy: string | null
  readonly uploads = new UploadCache()
  /** Read again at each connection: a new link has other keys. */
  timers: ChatTimers
  readonly #presence = new Presence(async (isAvailable) => this.connection.setAvailable(isAvailable))
  readonly #limits: LimitsWatch
  readonly #people: People
  readonly #context: NumberContext
  readonly #states: StateReporter
  readonly #ending: LinkEnding
  readonly #attempts: Attempts
  #status: SessionState['status'] = 'STOPPED'
  #connection: Connection | null = null
  #qr: ShownQr | null = null
  #isRunning = false
  #failures = 0
  #replacedAtMs: number[] = []
  #nameTimer: NodeJS.Timeout | null = null
  #reportedName = ''
  #isOpen = false
  #openedAtMs: number | null = null
  /** The version that the last connection claimed to be. */
  #webVersion: string | null = null

  constructor(context: NumberContext, vault: Vault, proxy: string | null) {
    this.#context = context
    this.vault = vault
    this.proxy = proxy
    this.#people = new People(vault)
    this.timers = new ChatTimers(vault)
    this.#states = new StateReporter(context.pool, vault, context.onEvents)
    this.#ending = new LinkEnding(context, vault)
    this.#attempts = new Attempts(context, vault, (attempt) => this.#connect(attempt))
    this.#limits = new LimitsWatch(vault, async () => this.connection.limits())
  }

  get status(): SessionState['status'] {
    return this.#status
  }

  get qr(): ShownQr | null {
    return this.#qr
  }

  /** The linked account; null while there is none. */
  get me(): SessionState['me'] {
    const { me, account } = this.vault.creds
    const digits = jidDecode(me?.id)?.user
    if (!me || !account || !digits) return null
    return { id: `${digits}@c.us`, digits, pushName: me.name && me.name !== '~' ? me.name : '' }
  }

  /** The connection, for a call. Throws a GatewayError `session` when the number is not connected. */
  get connection(): Connection {
    if (this.#connection && this.#isOpen) return this.#connection
    throw new GatewayError('session', `The number is not connected (${this.#status}).`)
  }

  /** The account sends something: people see it as available for a while. */
  active(): void {
    this.#presence.active()
  }

  /** Returns until when the network lets the account begin no conversations; null when it does not say in time. */
  findBlock(): Promise<Date | null> {
    return this.#limits.findBlock()
  }

  /** The connection of a number that waits for its link. */
  get linkingConnection(): Connection {
    if (this.#connection && this.#status === 'SCAN_QR_CODE') return this.#connection
    throw new GatewayError('session', `The number cannot be paired now (${this.#status}).`)
  }

  /** Connects the number. Without effect on one that runs. */
  start(reason: SessionReason): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#failures = 0
    this.#move('STARTING', reason)
    this.#attempts.connectAfter(0)
  }

  /** Ends the connection, and keeps the link. */
  async stop(): Promise<void> {
    this.#isRunning = false
    this.#status = 'STOPPED'
    await this.#disconnect()
    await this.#ending.settled()
  }

  async restart(): Promise<void> {
    await this.stop()
    this.start('reconnecting')
  }

  /** Ends the link, on the network's side where it can be reached, and deletes the keys. */
  async logout(): Promise<void> {
    const connection = this.#isOpen ? this.#connection : null
    const wasRunning = this.#isRunning
    this.#isRunning = false
    if (connection) await connection.logout().catch(() => undefined)
    await this.#disconnect()
    await this.#ending.endNow('everything')
    this.#status = 'STOPPED'
    if (wasRunning) this.start('logged_out')
  }

  /** Waits until every state is stored. */
  settled(): Promise<void> {
    return this.#states.settled()
  }

  async #disconnect(): Promise<void> {
    if (this.#nameTimer) clearTimeout(this.#nameTimer)
    const connection = this.#connection
    this.#connection = null
    this.#attempts.begin()
    this.#ended()
    await connection?.close()
  }

  #ended(): void {
    this.#isOpen = false
    this.#qr = null
    this.#presence.end()
    this.#limits.end()
  }

  async #connect(attempt: symbol): Promise<void> {
    // It changes the credentials under a connection.
    await this.#ending.settled()
    const version = await this.#context.webVersions.current()
    if (!this.#attempts.isCurrent(attempt)) return
    const { engine, config, log } = this.#context
    this.#webVersion = version
    this.timers = new ChatTimers(this.vault)
    const isCurrent = () => this.#connection === connection
    const connection: Connection = engine.open(
      this.vault,
      { ...config, version, proxy: this.proxy },
      {
        onQr: (qr) => isCurrent() && this.#showQr(qr),
        onName: () => isCurrent() && this.#named(),
        onOpen: () => isCurrent() && this.#opened(),
        onClose: (closing) => isCurrent() && this.#closed(closing),
        onRefused: (code) => logRefusal(log, this.vault.containerId, code),
        onContacts: (contacts) => void this.#people.stage(contacts).catch(() => undefined),
        onLimits: (limits) => isCurrent() && this.#limits.report(limits),
        onHistory: (messages) => void this.#context.history.store(this.vault, messages),
      },
      translatorOf(this.vault, this.timers),
    )
    this.#connection = connection
  }

  #showQr(qr: ShownQr): void {
    this.#qr = qr
    if (this.#status !== 'SCAN_QR_CODE') this.#move('SCAN_QR_CODE')
  }

  #opened(): void {
    this.#isOpen = true
    this.#openedAtMs = Date.now()
    this.#failures = 0
    this.#attempts.succeeded()
    this.#qr = null
    // The phone shares the name of the account a moment after the link. It belongs to the first report.
    this.#nameTimer = setTimeout(() => this.#named(), this.me?.pushName ? 0 : nameWaitMs)
    this.#limits.begin()
  }

  /** Reports the name of the account when it has changed. */
  refreshName(): void {
    this.#named()
  }

  /** The name of the account is known, or does not come. */
  #named(): void {
    if (!this.#isOpen) return
    if (this.#nameTimer) clearTimeout(this.#nameTimer)
    const { me } = this
    if (this.#status === 'WORKING' && me?.pushName === this.#reportedName) return
    this.#reportedName = me?.pushName ?? ''
    this.#move('WORKING')
  }

  #closed(closing: Closing): void {
    this.#connection = null
    this.#ended()
    if (!this.#isRunning) return
    const nowMs = Date.now()
    if (closing.code === 440) this.#replacedAtMs = [...this.#replacedAtMs, nowMs].slice(-10)
    const known = { isLinked: this.me !== null, failures: this.#failures, replacedAtMs: this.#replacedAtMs, nowMs }
    const next = afterClose(known, closing)
    const { isLinked } = known
    const end = { containerId: this.vault.containerId, isLinked, webVersion: this.#webVersion, closing, next }
    logEnd(this.#context.log, { ...end, openedAtMs: this.#openedAtMs })
    this.#openedAtMs = null
    this.#context.onReconnect(reasonOf(next))
    switch (next.is) {
      case 'forget':
        void this.#forget(isLinked)
        break
      case 'renew':
        this.#attempts.follow((attempt) => this.#renewVersion(attempt))
        break
      case 'fail':
        void this.#giveUp(next, isLinked)
        break
      case 'connect':
        if (next.afterMs > 0) this.#failures++
        if (this.#status !== 'STARTING') this.#move('STARTING', next.reason)
        // After a link, the phone waits for the next login.
        if (next.afterMs === 0) this.#attempts.connectNow()
        else this.#attempts.connectAfter(next.afterMs)
    }
  }

  async #giveUp({ reason, retry, code, endsLink }: Extract<AfterClose, { is: 'fail' }>, isLinked: boolean) {
    const attempt = this.#attempts.begin()
    this.#isRunning = false
    if (endsLink && !(await this.#endLink(attempt, isLinked, reason))) return
    this.#move('FAILED', reason, retry, code)
  }

  /** The network refused the version. Without another one the number waits until a worker has fetched one. */
  async #renewVersion(attempt: symbol): Promise<void> {
    const { webVersions } = this.#context
    if (this.#status !== 'STARTING') this.#move('STARTING', 'reconnecting')
    const version = await webVersions.replace(this.#webVersion ?? '')
    if (!this.#attempts.isCurrent(attempt)) return
    if (version !== null) return this.#attempts.connectAfter(0)
    const retry = webVersions.fixed === null ? new Date(Date.now() + outdatedMs) : 'never'
    await this.#giveUp({ is: 'fail', reason: 'client_outdated', retry }, true)
  }

  /** The phone has ended the link: the number shows a QR for the next one. An operator can restore the old one. */
  async #forget(isLinked: boolean): Promise<void> {
    const attempt = this.#attempts.begin()
    if (!(await this.#endLink(attempt, isLinked, 'logged_out'))) return
    this.#move('STARTING', 'logged_out')
    this.#attempts.connectAfter(0)
  }

  /** Ends the link before anything else may happen. Returns false when something else began, or the lease is lost. */
  #endLink(attempt: symbol, isLinked: boolean, reason: SessionReason): Promise<boolean> {
    return this.#ending.end(isLinked ? 'keep' : 'delete', {
      isWanted: () => this.#attempts.isCurrent(attempt),
      onFailed: () => this.#status === 'STARTING' || this.#move('STARTING', reason),
    })
  }

  #move(
    status: SessionState['status'],
    reason: SessionReason | null = null,
    retry: Date | 'never' | null = null,
    code: number | null = null,
  ): void {
    this.#status = status
    this.#states.report({ status, reason, retry, code, me: this.me })
  }
}
