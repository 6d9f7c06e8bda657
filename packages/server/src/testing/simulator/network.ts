import type { Driver, GatewayEvent, GatewaySession, NetAddress, SessionState } from '@msgctl/network/gateway'
import { openSecrets } from '@msgctl/network/secrets'
import pino from 'pino'
import { onTestFinished } from 'vitest'
import type { SimContext } from '#networks/simulator/context.ts'
import { scanCode } from '#networks/simulator/control/control.ts'
import { ownPhone } from '#networks/simulator/sessions/own-phone.ts'
import { simulator } from '#networks/simulator/simulator.ts'
import { type Clock, startClock } from '#platform/db/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { localWake, signalThrough, type Wake } from '#platform/db/wake.ts'
import { type Config, readConfig } from '#process/config.ts'
import { testSimToken } from '#testing/sim.ts'

/** One process at the simulated network, with what a test wants to see of it. */
export interface Network {
  readonly ctx: SimContext
  readonly gateway: Driver
  readonly clock: Clock
  /** Every event that this process received, in order. */
  readonly events: GatewayEvent[]
  /** Starts listening; without it the process only sends. */
  listen(): void
  /** Resolves when `enough` holds for the events so far. */
  until(enough: (events: readonly GatewayEvent[]) => boolean, what?: string): Promise<void>
  /** A number that is linked and WORKING. */
  linked(phone?: string): Promise<GatewaySession>
  /** Resolves when the number is in this status. */
  becomes(session: GatewaySession, status: SessionState['status']): Promise<void>
  close(): Promise<void>
}

export interface NetworkOptions {
  readonly speed?: number
  readonly seed?: number
  readonly autolink?: boolean
  readonly wake?: Wake
}

// Long enough for a busy machine.
const timeoutMs = 15_000

/** A process at the network in `db`; it ends with the test that opened it. */
export async function openNetwork(db: Db, options: NetworkOptions = {}): Promise<Network> {
  const clock = await startClock(db, { followMs: 100 })
  const ctx: SimContext = {
    db,
    clock,
    wake: options.wake ?? localWake(),
    log: pino({ level: 'silent' }),
    config: configOf(options),
    secrets: openSecrets(undefined),
  }
  const unsubscribe = signalThrough(db, ctx.wake)
  const gateway = simulator(ctx)
  const events: GatewayEvent[] = []
  const arrived = new Set<() => void>()
  const network: Network = {
    ctx,
    gateway,
    clock,
    events,
    listen() {
      gateway.subscribe(async (batch) => {
        events.push(...batch)
        for (const notify of arrived) notify()
      })
    },
    until(enough, what = 'the expected events') {
      return new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          clearTimeout(timer)
          arrived.delete(check)
          settle()
        }
        const seen = () => events.map((event) => event.kind).join(', ')
        const timer = setTimeout(() => end(() => reject(new Error(`${what} did not come; came: ${seen()}`))), timeoutMs)
        const check = () => {
          if (enough(events)) end(resolve)
        }
        arrived.add(check)
        check()
      })
    },
    async linked(phone) {
      const session = someNumber()
      await gateway.start(session)
      await network.becomes(session, 'SCAN_QR_CODE')
      await scanCode(ctx, session.containerId, phone ?? ownPhone(session.containerId, 0))
      await network.becomes(session, 'WORKING')
      return session
    },
    async becomes(session, status) {
      for (const end = performance.now() + timeoutMs; ; await new Promise((resolve) => setTimeout(resolve, 5))) {
        const state = await gateway.state(session)
        if (state.status === status) return
        if (performance.now() > end) throw new Error(`the number did not become ${status}, it is ${state.status}`)
      }
    },
    async close() {
      await gateway.close()
      unsubscribe()
      clock.stop()
    },
  }
  onTestFinished(() => network.close())
  return network
}

function configOf({ speed = 0, seed = 1, autolink = false }: NetworkOptions): Config {
  return readConfig({
    SIM_SPEED: String(speed),
    SIM_SEED: String(seed),
    SIM_AUTOLINK: autolink ? '1' : '0',
    SIM_CONTROL: '1',
    SIM_TOKEN: testSimToken,
  })
}

/** A number that no other test has used. */
export function someNumber(): GatewaySession {
  return { containerId: crypto.randomUUID(), organizationId: crypto.randomUUID() }
}

/** One of the people of the table, e.g. `person('0130')`. */
export function person(last4: string): NetAddress & { kind: 'phone' } {
  return { kind: 'phone', digits: `1202555${last4}` }
}

/** Settings of a send with an id of its own. */
export function sending(clientId: string = crypto.randomUUID(), timeoutMs = 15_000) {
  return { clientId, timeoutMs }
}

/** Returns the statuses that were reported for one message, in order. */
export function statusesOf(events: readonly GatewayEvent[], networkId: string): string[] {
  return events.flatMap((event) =>
    event.kind === 'message.status' && event.networkId === networkId ? [event.status] : [],
  )
}
