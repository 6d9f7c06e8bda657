import type { Gateway, GatewaySession } from '@msgctl/network/gateway'
import { eventually } from '#testing/eventually.ts'
import type { DirectNetwork } from './network.ts'

const withinMs = 15_000

/**
 * Lets session calls return when the host has carried them out, as those of the simulator at speed 0 do: by themselves
 * they only write what a host reads later. A phone that is paired by a code types it at once, as in the simulator.
 */
export function awaitSessionCalls(gateway: Gateway, network: DirectNetwork): void {
  const { start, restart, logout, pairingCode } = gateway

  /** Waits until a host has done what is wanted, unless there is no host or the network refuses the number. */
  async function done(session: GatewaySession) {
    const read = () => gateway.state(session)
    if (!(await network.connects(session.containerId))) return read()
    return eventually(read, ({ status }) => status !== 'STARTING', withinMs).catch(read)
  }

  Object.assign(gateway, {
    async start(session) {
      await start.call(gateway, session)
      return done(session)
    },
    async restart(session) {
      await restart.call(gateway, session)
      return done(session)
    },
    async logout(session) {
      await logout.call(gateway, session)
      return done(session)
    },
    async pairingCode(session, digits) {
      const code = await pairingCode.call(gateway, session, digits)
      await network.typeCode(session, { phone: digits, code })
      await done(session)
      return code
    },
  } satisfies Partial<Gateway>)
}
