import type { SessionState } from '@msgctl/network/gateway'
import { expect, it } from 'vitest'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { added, after, phoneA } from '#testing/features/number-states.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { isOutdated } from './state-rules.ts'

const words = ['WORKING', 'SCAN_QR_CODE', 'STARTING'] as const

/** The same numbers for the same seed. */
function drawing(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Reports of a network in a random order, each of them once or twice. */
function shuffledReports(count: number, seed: number, firstSequence = 1) {
  const draw = drawing(seed)
  const reports = Array.from({ length: count }, (_, n): SessionState => {
    const status = words[Math.floor(draw() * words.length)] ?? 'WORKING'
    return { status, me: status === 'WORKING' ? phoneA : null, sequence: firstSequence + n }
  })
  const arrived = [...reports, ...reports.filter(() => draw() < 0.3)]
  for (let n = arrived.length - 1; n > 0; n--) {
    const other = Math.floor(draw() * (n + 1))
    ;[arrived[n], arrived[other]] = [arrived[other] as SessionState, arrived[n] as SessionState]
  }
  return { newest: reports.at(-1) as SessionState, arrived }
}

it.each([1, 2, 3, 4, 5])('10,000 shuffled reports end in the newest state, seed %i', (seed) => {
  const { newest, arrived } = shuffledReports(10_000, seed)
  let number = added
  for (const report of arrived) {
    if (!isOutdated(number, report, 'event')) number = after(number, report).number
  }
  expect([number.status, number.reportSequence]).toEqual([newest.status, newest.sequence])
})

const server = await startTestServer({ worker: false })

it('so they do in the database, in batches that are handled at the same time', async () => {
  const organization = await makeOrganization(server)
  const session = { containerId: await makeNumber(server, organization), organizationId: organization.organizationId }
  const { sequence } = await server.services.gateway.state(session)
  const { newest, arrived } = shuffledReports(400, 7, sequence + 1)
  const at = server.services.clock.now()
  const batches = Array.from({ length: 8 }, (_, n) => arrived.filter((_report, index) => index % 8 === n))
  await Promise.all(
    batches.map((states) =>
      handleGatewayEvents(
        server.services,
        states.map((state) => ({ kind: 'session.state', ...session, at, state })),
      ),
    ),
  )
  expect((await server.client(organization).numbers.status()).status).toBe(newest.status)
})
