import { GatewayError } from '@msgctl/network/errors'
import { describe, expect, it } from 'vitest'
import { type InWork, mostLost, noSuspects } from '#platform/set-aside/suspicion.ts'
import { listSetAside } from '#platform/set-aside/work-store.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { claim, leaseMs } from './claim.ts'
import { afterFailure } from './outcome.ts'
import { startOutcomeWriter } from './outcome-writer.ts'
import { noPace } from './pace.ts'
import { reapMessages } from './sweep.ts'

// Without a worker a test claims by itself, and loses its claims like a process that dies.
const server = await startTestServer({ worker: false })
const organization = await makeOrganization(server)
const client = server.client(organization)

async function sendText(through?: string): Promise<string> {
  const containerId = through ?? (await makeNumber(server, organization))
  return (await client.alert.send({ phone: '12025550121', message: 'hello', containerId })).messageId
}

async function claimAndDie(): Promise<void> {
  expect(await claim(server.services, noPace, 100)).toHaveLength(1)
  await server.advance(leaseMs / 1000 + 1)
  await reapMessages(server.services)
}

async function statusOf(id: string) {
  return (await client.messages.get({ id })).message
}

/** Claims the one message that is due, and ends the attempt with a failure. */
async function claimAndFail(error: GatewayError): Promise<void> {
  const [claimed] = await claim(server.services, noPace, 100)
  if (!claimed) return expect.fail('no message is due')
  const now = server.services.clock.now()
  const writer = startOutcomeWriter(server.services, 1)
  writer.add({ ...claimed, outcome: afterFailure(error, claimed, { now, random: 0.5 }) })
  await writer.drain(5000)
}

async function release(claimed: Awaited<ReturnType<typeof claim>>[number] | undefined): Promise<void> {
  if (!claimed) return expect.fail('no message is due')
  const { id, containerId, token } = claimed
  const writer = startOutcomeWriter(server.services, 1)
  writer.add({ id, containerId, token, outcome: { is: 'released' } })
  await writer.drain(5000)
}

describe('a message whose host dies during each attempt', () => {
  it('is queued again each time, and its other failures still have all their tries', async () => {
    const id = await sendText()
    const lost = new GatewayError('unreachable', 'The host ended.', { outcome: 'unknown' })
    for (let death = 0; death < 12; death += 1) {
      await claimAndFail(lost)
      await server.advance(60)
    }
    expect(await statusOf(id)).toMatchObject({ status: 'queued', attempts: 12 })
    await claimAndFail(new GatewayError('timeout', 'no response'))
    expect(await statusOf(id)).toMatchObject({ status: 'queued', attempts: 13 })
    await server.advance(20)
    const [claimed] = await claim(server.services, noPace, 100)
    expect(claimed).toMatchObject({ id, attempts: 2, lostClaims: 12 })
    await client.numbers.stop({ containerId: claimed?.containerId ?? '' })
  })
})

describe('a message whose process dies, again and again', () => {
  it('is queued again, and its failures still have all their tries', async () => {
    const id = await sendText()
    for (let death = 0; death < mostLost - 1; death += 1) await claimAndDie()
    expect(await statusOf(id)).toMatchObject({ status: 'queued', attempts: 3 })
    const { timeline } = await client.messages.get({ id })
    const lost = timeline.filter(({ step }) => step === 'attempt')
    expect(lost).toHaveLength(3)
    expect(lost.at(-1)?.detail).toBe('3: The process that was sending it was lost. Queued again.')
    const [claimed] = await claim(server.services, noPace, 100)
    expect(claimed).toMatchObject({ id, attempts: 1, lostProcesses: 3 })
    await release(claimed)
    expect(await statusOf(id)).toMatchObject({ status: 'queued', attempts: 3 })
    // A process that gives it back has survived it: the count begins again.
    const [again] = await claim(server.services, noPace, 100)
    expect(again).toMatchObject({ id, lostProcesses: 0 })
    await release(again)
    // The next test claims its own message alone.
    await client.numbers.stop({ containerId: claimed?.containerId ?? '' })
  })

  it('is set aside after the fourth, and fails when no receipt came', async () => {
    const id = await sendText()
    for (let death = 0; death < mostLost; death += 1) await claimAndDie()
    const { status, containerId } = await statusOf(id)
    expect(status).toBe('sending')
    expect(await claim(server.services, noPace, 100)).toEqual([])
    expect(await transcriptOf(server, containerId ?? '')).toEqual([])
    const { organizationId } = organization
    const list = { kind: 'messages', organizationId, limit: 100 } as const
    expect(await listSetAside(server.db, list)).toMatchObject([{ kind: 'messages', item: id, organizationId }])
    await server.advance(601)
    await reapMessages(server.services)
    expect(await statusOf(id)).toMatchObject({ status: 'failed', errorCode: 'UPSTREAM_TIMEOUT' })
  })
})

describe('messages whose process dies with one of them', () => {
  it('are claimed in ever smaller groups, while others leave as before', async () => {
    const containerId = await makeNumber(server, organization)
    for (let n = 0; n < 32; n += 1) await sendText(containerId)
    const claimSome = async (inWork: InWork) => (await claim(server.services, noPace, 1000, () => 0, inWork)).length
    const lose = async () => {
      await server.advance(leaseMs / 1000 + 1)
      await reapMessages(server.services)
    }
    expect(await claimSome(noSuspects)).toBe(32)
    await lose()
    expect(await claimSome({ lostProcesses: 1, count: 299 })).toBe(1)
    expect(await claimSome({ lostProcesses: 2, count: 1 })).toBe(0)
    expect(await claimSome(noSuspects)).toBe(31)
    await lose()
    expect(await claimSome(noSuspects)).toBe(1)
    expect(await claimSome({ lostProcesses: 2, count: 1 })).toBe(0)
    const fresh = await sendText(containerId)
    const beside = await claim(server.services, noPace, 1000, () => 0, { lostProcesses: 2, count: 1 })
    expect(beside.map(({ id }) => id)).toEqual([fresh])
    await lose()
    // Those that lost the fewest come first.
    const [next, ...others] = await claim(server.services, noPace, 1000)
    expect([next?.id, others.length]).toEqual([fresh, 0])
  })
})
