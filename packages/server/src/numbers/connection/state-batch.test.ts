import type { SessionState } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { phoneA } from '#testing/features/number-states.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { services } = server

const way: Omit<SessionState, 'sequence'>[] = [
  { status: 'STARTING', me: null },
  { status: 'SCAN_QR_CODE', me: null },
  { status: 'WORKING', me: phoneA },
  { status: 'FAILED', me: null },
  { status: 'WORKING', me: phoneA },
]

/** An organization with two linked numbers, and what the network reports of them from then on. */
async function organizationWithReports() {
  const organization = await makeOrganization(server)
  const { organizationId } = organization
  const containerIds = [await makeNumber(server, organization), await makeNumber(server, organization)]
  const reports = await Promise.all(
    containerIds.map(async (containerId) => {
      const { sequence } = await services.gateway.state({ organizationId, containerId })
      return way.map((state, n) => ({
        kind: 'session.state' as const,
        organizationId,
        containerId,
        at: services.clock.now(),
        state: { ...state, sequence: sequence + n + 1 },
      }))
    }),
  )
  const client = server.client(organization)
  const outcome = async () => ({
    numbers: await Promise.all(
      containerIds.map(async (containerId) => {
        const { status, me } = await client.numbers.status({ containerId })
        const { history } = await client.numbers.history({ containerId })
        return { status, phone: me?.id, history: history.map(({ from, to, reason }) => [from, to, reason]) }
      }),
    ),
    events: (await client.events.list({})).events
      .filter(({ event }) => event.startsWith('session.'))
      .map(({ event }) => event)
      .sort(),
  })
  /** Of both numbers in turns, as the network reports them. */
  const mixed = way.flatMap((_, n) => reports.flatMap((own) => own[n] ?? []))
  return { organizationId, containerIds, mixed, outcome }
}

describe('reports of many states at once', () => {
  it('lead to the same numbers, histories and events as one after the other', async () => {
    const [single, together] = [await organizationWithReports(), await organizationWithReports()]
    for (const report of single.mixed) await handleGatewayEvents(services, [report])
    await handleGatewayEvents(services, together.mixed)
    const outcome = await together.outcome()
    expect(outcome).toEqual(await single.outcome())
    expect(outcome.numbers.map(({ status }) => status)).toEqual(['WORKING', 'WORKING'])
    expect(outcome.numbers[0]?.history.length).toBeGreaterThan(3)
  })

  it('open and close the lanes of their own numbers only', async () => {
    const { mixed, containerIds } = await organizationWithReports()
    const [first, second] = containerIds
    const last = mixed.filter(({ state }) => state.status === 'SCAN_QR_CODE').map(({ containerId }) => containerId)
    expect(last).toEqual(containerIds)
    const until = mixed.filter(({ containerId, state }) => containerId === second || state.status === 'STARTING')
    await handleGatewayEvents(services, until)
    const lanes = await services.db('lanes').select('containerId', 'open').whereIn('containerId', containerIds)
    const isOpen = (id: string | undefined) => lanes.find((lane) => lane.containerId === id)?.open
    expect([isOpen(first), isOpen(second)]).toEqual([false, true])
  })

  it('are dropped for a number of another organization', async () => {
    const [one, other] = [await organizationWithReports(), await organizationWithReports()]
    const before = await one.outcome()
    await handleGatewayEvents(
      services,
      one.mixed.map((report) => ({ ...report, organizationId: other.organizationId })),
    )
    expect(await one.outcome()).toEqual(before)
  })
})
