import type { NumberStatus } from '@msgctl/contract'
import { applyState } from '#numbers/connection/state.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import type { TestServer } from '#testing/start-server.ts'

/** A number as its organization sees it, at a server that may run a worker or not. */
export async function aNumber(server: TestServer, phone: string) {
  const organization = await makeOrganization(server)
  const { organizationId } = organization
  const containerId = await makeNumber(server, organization, { linked: false })
  const session = { organizationId, containerId }
  const client = server.client(organization)
  const { gateway } = server.services

  /** Applies the network's current state; needed where no worker receives it. */
  async function applyNetworkState(): Promise<void> {
    await applyState(server.services, { ...session, state: await gateway.state(session), source: 'network' })
  }

  return {
    ...session,
    client,
    organization,
    applyNetworkState,
    control: (what: string, body: object = {}) => sim(server, `POST numbers/${containerId}/${what}`, body),
    /** Scans the number's QR with the phone. */
    async scan(): Promise<void> {
      if (!server.worker) await applyNetworkState()
      await becomes('SCAN_QR_CODE')
      await sim(server, `POST numbers/${containerId}/scan`, { phone })
      if (!server.worker) await applyNetworkState()
    },
    becomes,
    /** Waits until the network was asked to reconnect; the status STARTING alone does not prove it. */
    async isRestarting(): Promise<void> {
      await eventually(
        () => gateway.state(session),
        (state) => state.reason === 'reconnecting',
      )
    },
    /** The events that were reported for the number, oldest first. */
    async events() {
      return (await client.events.list()).events.map(({ event, data }) => ({ event, data }))
    },
    /** The changes of its state as `from to reason source`, oldest first. */
    async history(): Promise<string[]> {
      const { history } = await client.numbers.history({ containerId, limit: 100 })
      return history.map(({ from, to, reason, source }) => [from, to, reason, source].join(' ')).reverse()
    },
    async remove(): Promise<void> {
      const owner = server.client({ token: await makeToken(server, organization) })
      await owner.numbers.delete({ containerId })
    },
  }

  async function becomes(status: NumberStatus) {
    return eventually(
      () => client.numbers.status({ containerId }),
      (seen) => seen.status === status,
    )
  }
}
