import type { GatewaySession } from '@msgctl/network/gateway'
import { type Db, rows } from '#platform/db/db.ts'
import type { Config } from '#process/config.ts'
import type { Services } from '#services.ts'
import { eventually } from '#testing/eventually.ts'
import type { Evidence } from './evidence.ts'
import { type Program, startProgram } from './program.ts'
import { scanShown } from './scan-shown.ts'
import { keepClock } from './service-clock.ts'
import type { CallCount, Silence } from './short-limits.ts'

/** A test network and a gateway host, each in a process of its own, at the database of a test. */
export interface DirectNetwork {
  /** Calls that the network does not respond to at present. */
  readonly silence: Silence
  setSilence(silence: Silence): void
  /**
   * Controls the network: gateway-host/test/network/control.ts has the calls. Throws an Error with the network's
   * message.
   */
  call<Result>(name: string, body?: object): Promise<Result>
  /** Links a number with a phone by its QR, and waits until it works. */
  link(services: Services, session: GatewaySession, phone: string): Promise<void>
  /** Types a pairing code into a phone, and waits until the number works. */
  typeCode(session: GatewaySession, typed: { readonly phone: string; readonly code: string }): Promise<void>
  /** Whether a host can connect a number: one runs, and the network does not refuse the phone. */
  connects(containerId: string): Promise<boolean>
  /** Refuses the logins of a phone, or no longer. Ends its connections. */
  refuse(phone: string, isRefused: boolean): Promise<void>
  /** Returns the phone that was linked last with a number; null for a number that never was. */
  phoneOf(containerId: string): Promise<string | null>
  /** Returns the number that was linked last with a phone. */
  numberOf(phone: string): string | null
  /** Returns what the service time was at a time of this machine. */
  serviceTimeAt(ms: number): Promise<Date>
  /** Waits until nothing happens between `isDone`, the network and the host any more. */
  settle(isDone: () => Promise<unknown>): Promise<void>
  /**
   * Waits, at most for some seconds, until nothing is under way: a clock does not leap while a call waits for the
   * network.
   */
  idle(calls: CallCount): Promise<void>
  /** Kills the gateway host, with all its numbers, or starts one again and waits until it has connected them. */
  setHost(up: boolean): Promise<void>
  stop(): Promise<void>
}

/** What a network is started with. */
interface DirectNetworkOptions {
  readonly db: Db
  readonly databaseUrl: string
  readonly config: Config
  readonly evidence: Evidence | null
}

const statusOf = 'select status from gateway_sessions where container_id = :containerId'
const linkedPhone = `select me->>'digits' as phone from gateway_sessions where container_id = :containerId`
const idleWithinMs = 4000
/** The leases of a host that was killed end by themselves, but only after some seconds. */
const endLeases = `update gateway_sessions set lease_until = 'epoch'`
/** Numbers that are to be connected. */
const linkedNumbers = `select status from gateway_sessions where wanted = 'running' and me is not null`
const linkWithinMs = 20_000

/** Starts the processes. `config` is of the first service; its simulator's speed is that of the people. */
export async function startDirectNetwork(options: DirectNetworkOptions): Promise<DirectNetwork> {
  const { db, databaseUrl, config, evidence } = options
  const { secretsKeys = '' } = config
  const clock = await keepClock(db)
  const network = await startProgram('test/network/main.js', {
    env: { TEST_NETWORK_SPEED: String(factorOf(config.simulator.speed)), TEST_NETWORK_END_WITH_INPUT: '1' },
    onOutput: () => undefined,
  })
  const { url = '', controlUrl = '', root = '', files = '', certificate = '' } = network.facts

  function startHost(): Promise<Program> {
    const env = {
      DATABASE_URL: databaseUrl,
      SECRETS_KEYS: secretsKeys,
      GATEWAY_NETWORK_URL: url,
      GATEWAY_NETWORK_ROOT: root,
      GATEWAY_NETWORK_FILES: files,
      NODE_EXTRA_CA_CERTS: certificate,
      GATEWAY_END_WITH_INPUT: '1',
      LOG_LEVEL: 'trace',
    }
    return startProgram('src/main.js', { env, onOutput: (text) => evidence?.onOutput(text) })
  }
  let host: Program | null = await startHost()
  const phones = new Map<string, string>()
  const refused = new Set<string>()

  async function call<Result>(name: string, body: object = {}): Promise<Result> {
    const response = await fetch(`${controlUrl}/control/${name}`, { method: 'POST', body: JSON.stringify(body) })
    const result = (await response.json()) as Result & { error?: string }
    if (!response.ok) throw new Error(`${name}: ${result.error}`)
    return result
  }

  let silence: Silence = { sends: false, checks: false }
  const readCounts = () => call<{ logins: number }>('counts')
  async function phoneOf(containerId: string): Promise<string | null> {
    const [found] = await rows<{ phone: string | null }>(db, linkedPhone, { containerId })
    return found?.phone ?? phones.get(containerId) ?? null
  }

  const readQuiet = () => call<{ isQuiet: boolean; activity: number }>('quiet')

  return {
    call,
    get silence() {
      return silence
    },
    setSilence(now) {
      silence = now
    },
    async link({ gateway }, session, phone) {
      const readQr = async () => (await gateway.qr(session).catch(() => null))?.text ?? ''
      await eventually(readQr, (shown) => shown !== '', linkWithinMs)
      phones.set(session.containerId, phone)
      await scanShown(readQr, (qr) => call('scan', { qr, phone }))
      await eventually(
        () => gateway.state(session),
        ({ status }) => status === 'WORKING',
        linkWithinMs,
      )
    },
    async typeCode({ containerId }, typed) {
      phones.set(containerId, typed.phone)
      await call('typeCode', typed)
      await eventually(
        () => rows<{ status: string }>(db, statusOf, { containerId }),
        ([number]) => number?.status === 'WORKING',
        linkWithinMs,
      )
    },
    async connects(containerId) {
      return host !== null && !refused.has((await phoneOf(containerId)) ?? '')
    },
    async refuse(phone, isRefused) {
      if (isRefused) refused.add(phone)
      else refused.delete(phone)
      await call('refuse', { phone, refusal: isRefused ? { reason: '503' } : null })
    },
    phoneOf,
    numberOf: (phone) => [...phones].reverse().find(([, linked]) => linked === phone)?.[0] ?? null,
    serviceTimeAt: clock.at,
    async settle(isDone) {
      await eventually(
        async () => {
          const before = await readQuiet()
          if (!before.isQuiet) return false
          await isDone()
          const after = await readQuiet()
          return after.isQuiet && after.activity === before.activity
        },
        (isQuiet) => isQuiet,
      )
    },
    async idle(calls) {
      const isIdle = async () => calls.waiting === 0 && (await readQuiet()).isQuiet
      await eventually(isIdle, (idle) => idle, idleWithinMs).catch(() => undefined)
    },
    async setHost(up) {
      if (up && !host) {
        const { logins } = await readCounts()
        host = await startHost()
        await eventually(
          async () => ({ numbers: await rows<{ status: string }>(db, linkedNumbers), counts: await readCounts() }),
          ({ numbers, counts }) =>
            counts.logins >= logins + numbers.length && numbers.every(({ status }) => status === 'WORKING'),
        )
      } else if (!up) {
        await host?.end('SIGKILL')
        await rows(db, endLeases)
        host = null
      }
    },
    async stop() {
      const { texts } = await call<{ texts: string[] }>('texts')
      await host?.end()
      await network.end()
      await evidence?.finish({ secretsKeys, texts })
    },
  }
}

/** People of the test network are a hundred times as fast as those of the simulator. */
const peopleSpeed = 100

/** Returns the factor of all times of the test network. At speed 0 the simulator takes no time at all. */
function factorOf(simulatorSpeed: number): number {
  return simulatorSpeed === 0 ? 0 : peopleSpeed / simulatorSpeed
}
