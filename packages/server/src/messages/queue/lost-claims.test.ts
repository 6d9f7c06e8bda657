import { describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '../../testing/make.ts'
import { transcriptOf } from '../../testing/sim.ts'
import { startTestServer } from '../../testing/start-server.ts'
import { claim, leaseMs } from './claim.ts'
import { maxLostClaims } from './outcome.ts'
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

describe('a message whose process dies, again and again', () => {
  it('is queued again each time, and its failures still have all their tries', async () => {
    const id = await sendText()
    for (let death = 0; death < 12; death += 1) await claimAndDie()
    expect(await statusOf(id)).toMatchObject({ status: 'queued', attempts: 12 })
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
