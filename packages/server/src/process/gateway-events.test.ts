import type { SessionReason } from '@msgctl/contract'
import type { GatewayEvent } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { handleGatewayEvents } from './gateway-events.ts'

const server = await startTestServer({ worker: false })
const { services } = server
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)

/** What no database stores, and more than anybody needs. */
const stuffed = `a\0b\ud800c${'x'.repeat(100_000)}`
const about = { organizationId: organization.organizationId, containerId }
const receive = (...events: GatewayEvent[]) => handleGatewayEvents(services, events)

describe('network events with texts of strangers', () => {
  it('of a failed message is stored as far as it can be', async () => {
    const at = services.clock.now()
    const { messageId, gatewayMessageId } = await client.alert.sendLocation({
      phone: '12025550120',
      latitude: 1,
      longitude: 2,
    })
    await receive(
      { kind: 'message.status', ...about, at, networkId: stuffed, status: 'failed', error: stuffed },
      { kind: 'message.status', ...about, at, networkId: gatewayMessageId, status: 'failed', error: stuffed },
    )
    const { message } = await client.messages.get({ id: messageId })
    expect(message.status).toBe('failed')
    expect(message.error?.slice(0, 5)).toBe('a\ufffdb\ufffdc')
    expect(message.error?.length).toBeLessThanOrEqual(1000)
  })

  it('of a vote is stored as far as it can be', async () => {
    const at = services.clock.now()
    const poll = { phone: '12025550121', question: 'Tea?', options: ['yes', 'no'] }
    const { gatewayMessageId } = await client.alert.sendPoll(poll)
    await receive({
      kind: 'poll.vote',
      ...about,
      at,
      pollNetworkId: gatewayMessageId,
      voteNetworkId: stuffed,
      from: { kind: 'lid', id: stuffed },
      selectedOptions: Array.from({ length: 5000 }, () => stuffed),
    })
    const [vote = expect.fail('the vote was not reported')] = (await client.events.list({ types: 'poll.vote' })).events
    const { selectedOptions, from, id } = (
      vote.data as { vote: { selectedOptions: string[]; from: string; id: string } }
    ).vote
    expect([id.length, from.length]).toEqual([255, 255])
    expect(selectedOptions).toHaveLength(12)
    expect(selectedOptions[0]?.slice(0, 5)).toBe('a\ufffdb\ufffdc')
    expect(selectedOptions[0]).toHaveLength(255)
  })

  it('of who is linked is stored as far as it can be', async () => {
    const me = { id: '12025550077@c.us', digits: '12025550077', pushName: stuffed }
    const reason = stuffed as SessionReason
    const state = { status: 'STARTING', me, reason, sequence: Number.MAX_SAFE_INTEGER } as const
    await receive({ kind: 'session.state', ...about, at: services.clock.now(), state })
    expect((await client.numbers.status()).me?.pushName).toHaveLength(255)
    const [change] = (await client.numbers.history()).history
    expect(change?.reason).toBe('unknown')
  })
})
