import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../gateway/errors.ts'
import { makeNumber, makeOrganization } from '../../testing/make.ts'
import { transcriptOf } from '../../testing/sim.ts'
import { startTestServer } from '../../testing/start-server.ts'
import { claim, leaseMs } from './claim.ts'
import { afterFailure, maxLostClaims } from './outcome.ts'
import { startOutcomeWriter } from './outcome-writer.ts'
import { noPace } from './pace.ts'
import { reapMessages } from './sweep.ts'

// Without a worker a test claims by itself, and loses its claims like a process that dies.
const server = await startTestServer({ worker: false })
const organization = await makeOrganization(server)
const client = server.client(organization)

async function sendText(): Promise<string> {
  const containerId = await makeNumber(server, organization)
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
  it('is queued again each time, and its failures still have all their tries', async () => {
    const id = await sendText()
    for (let death = 0; death < 12; death += 1) await claimAndDie()
    expect(await statusOf(id)).toMatchObject({ status: 'queued', attempts: 12 })
    const { timeline } = await client.messages.get({ id })
    const lost = timeline.filter(({ step }) => step === 'attempt')
    expect(lost).toHaveLength(12)
    expect(lost.at(-1)?.detail).toBe('12: The process that was sending it was lost. Queued again.')
    const [claimed] = await claim(server.services, noPace, 100)
    expect(claimed).toMatchObject({ id, attempts: 1 })
    const writer = startOutcomeWriter(server.services, 1)
    writer.add({
      id,
      containerId: claimed?.containerId ?? '',
      token: claimed?.token ?? '',
      outcome: { is: 'released' },
    })
    await writer.drain(5000)
    expect(await statusOf(id)).toMatchObject({ status: 'queued', attempts: 12 })
    // The next test claims its own message alone.
    await client.numbers.stop({ containerId: claimed?.containerId ?? '' })
  })

  it('is given up when too many died with it, and fails when no receipt came', async () => {
    const id = await sendText()
    for (let death = 0; death <= maxLostClaims; death += 1) await claimAndDie()
    const { status, containerId } = await statusOf(id)
    expect(status).toBe('sending')
    expect(await claim(server.services, noPace, 100)).toEqual([])
    expect(await transcriptOf(server, containerId ?? '')).toEqual([])
    await server.advance(601)
    await reapMessages(server.services)
    expect(await statusOf(id)).toMatchObject({ status: 'failed', errorCode: 'UPSTREAM_TIMEOUT' })
  })
})
