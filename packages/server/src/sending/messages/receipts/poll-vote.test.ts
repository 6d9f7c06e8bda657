import type { GatewayEvent } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { reapMessages } from '#sending/messages/queue/sweep.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'
import { deleteExpiredVotes } from './poll-vote-store.ts'

const server = await startTestServer()
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)
const poll = { question: 'Tea?', options: ['yes', 'no', 'later'] }

type Vote = Extract<GatewayEvent, { kind: 'poll.vote' }>

/** A vote as the network reports it. */
function voteIn(pollNetworkId: string, more: Partial<Vote> = {}): Vote {
  return {
    kind: 'poll.vote',
    containerId,
    organizationId: organization.organizationId,
    at: server.services.clock.now(),
    pollNetworkId,
    voteNetworkId: `vote-${crypto.randomUUID()}`,
    from: { kind: 'phone', digits: '12025550121' },
    selectedOptions: ['yes'],
    ...more,
  }
}

async function votesOf(messageId: string) {
  const found = await rows<{ data: { vote: { id: string; selectedOptions: string[] } } }>(
    server.db,
    `select data from events where message_id = :messageId and event = 'poll.vote' order by position`,
    { messageId },
  )
  return found.map(({ data }) => data)
}

async function kept({ voteNetworkId }: Vote) {
  return rows(server.db, 'select 1 as kept from poll_votes where vote_network_id = :voteNetworkId', { voteNetworkId })
}

async function sendPoll(phone = '12025550121') {
  return client.alert.sendPoll({ phone, ...poll, clientReference: 'tea' })
}

describe('a vote in a poll that was sent', () => {
  it('comes as poll.vote with who voted for what, in which message', async () => {
    const { messageId, gatewayMessageId } = await sendPoll('12025550133')
    const [vote] = await eventually(
      () => votesOf(messageId),
      (votes) => votes.length > 0,
    )
    const [number] = await rows<{ phone: string }>(
      server.db,
      'select phone_number as phone from numbers where id = :containerId',
      { containerId },
    )
    expect(vote).toEqual({
      vote: {
        id: expect.any(String),
        from: '12025550133',
        to: number?.phone,
        fromMe: false,
        selectedOptions: ['yes'],
        timestamp: expect.any(String),
      },
      poll: { id: gatewayMessageId, from: number?.phone, to: '12025550133', fromMe: true },
      messageId,
      containerId,
      numberPhone: number?.phone,
      timestamp: expect.any(String),
      clientReference: 'tea',
    })
  })

  it('is reported once, however often the network repeats it, in one batch or several, to any process', async () => {
    const { messageId, gatewayMessageId } = await sendPoll()
    const vote = voteIn(gatewayMessageId)
    const other = await serveDatabase(server.db, server.databaseUrl, { worker: false })
    await Promise.all([
      handleGatewayEvents(server.services, [vote, vote]),
      handleGatewayEvents(server.services, [vote]),
      handleGatewayEvents(other.services, [vote]),
    ])
    await handleGatewayEvents(other.services, [vote])
    await other.stop()
    expect(await votesOf(messageId)).toHaveLength(1)
  })

  it('can be changed and withdrawn: each vote is reported', async () => {
    const { messageId, gatewayMessageId } = await sendPoll()
    for (const selectedOptions of [['yes'], ['no', 'later'], []]) {
      await handleGatewayEvents(server.services, [voteIn(gatewayMessageId, { selectedOptions })])
    }
    expect((await votesOf(messageId)).map(({ vote }) => vote.selectedOptions)).toEqual([['yes'], ['no', 'later'], []])
  })

  it('of a hidden person names the hidden id', async () => {
    const { messageId, gatewayMessageId } = await sendPoll()
    const from = { kind: 'lid', id: '123@lid' } as const
    await handleGatewayEvents(server.services, [voteIn(gatewayMessageId, { from })])
    expect(await votesOf(messageId)).toMatchObject([{ vote: { from: '123@lid' } }])
  })

  it('waits until the send of the poll returns, and is reported then', async () => {
    const { messageId, gatewayMessageId } = await sendPoll()
    // Its receipt, too, would fill in the id.
    await eventually(
      () => client.messages.get({ id: messageId }),
      ({ message }) => message.status === 'delivered',
    )
    // As between the call of the network and the record of its answer.
    await rows(server.db, 'update messages set gateway_message_id = null where id = :messageId', { messageId })
    await handleGatewayEvents(server.services, [voteIn(gatewayMessageId)])
    expect(await votesOf(messageId)).toEqual([])
    await rows(server.db, 'update messages set gateway_message_id = :gatewayMessageId where id = :messageId', {
      messageId,
      gatewayMessageId,
    })
    await reapMessages(server.services)
    await reapMessages(server.services)
    const votes = await eventually(
      () => votesOf(messageId),
      (reported) => reported.length > 0,
    )
    expect(votes).toHaveLength(1)
  })

  it('finds a poll whose send timed out by the id that was chosen for it', async () => {
    await sim(server, 'PUT faults', { send: { timeout_sent: 1 } })
    const error = await sendPoll('12025550133').catch((thrown) => thrown)
    await sim(server, 'DELETE faults')
    const { messageId } = error.details
    const votes = await eventually(
      () => votesOf(messageId),
      (reported) => reported.length > 0,
    )
    expect(votes).toHaveLength(1)
  })

  it('in a poll that the service did not send is not reported, and deleted after ten minutes', async () => {
    const vote = voteIn('a-poll-made-on-the-phone')
    await handleGatewayEvents(server.services, [vote])
    expect(await kept(vote)).toHaveLength(1)
    await server.advance(601)
    await eventually(
      () => kept(vote),
      (votes) => votes.length === 0,
    )
  })

  it('is kept for 30 days, so that it is not reported again', async () => {
    const { messageId, gatewayMessageId } = await sendPoll()
    const vote = voteIn(gatewayMessageId)
    await handleGatewayEvents(server.services, [vote])
    await server.advance(29 * 86_400)
    await deleteExpiredVotes(server.db)
    await handleGatewayEvents(server.services, [vote])
    expect(await votesOf(messageId)).toHaveLength(1)
    expect(await kept(vote)).toHaveLength(1)
    await server.advance(2 * 86_400)
    // The periodic job, which runs when the clock is moved, may have been quicker.
    await deleteExpiredVotes(server.db)
    expect(await kept(vote)).toEqual([])
  })
})
