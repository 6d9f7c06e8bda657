import type { GatewayEvent } from '@msgctl/network/gateway'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival, later } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { db } = server
const receive = (...events: GatewayEvent[]) => handleGatewayEvents(server.services, events)
const from = (digits: string) => ({ kind: 'phone', digits }) as const

async function makeOne() {
  const organization = await makeOrganization(server)
  const { organizationId } = organization
  const first = { organizationId, containerId: await makeNumber(server, organization) }
  return { organizationId, first, client: server.client(organization) }
}

describe('reading a chat', () => {
  /** What the network was asked to show as read. */
  function noteSeen(fails = false) {
    const { gateway } = server.services
    const { seen } = gateway
    const calls: unknown[] = []
    Object.assign(gateway, {
      async seen({ containerId }: { containerId: string }, chat: unknown, networkIds: string[]) {
        calls.push([containerId, chat, networkIds])
        if (fails) throw new Error('the network is away')
      },
    })
    onTestFinished(() => void Object.assign(gateway, { seen }))
    return calls
  }

  it('shows the author read ticks for what was unread, oldest first, once', async () => {
    const { first, client } = await makeOne()
    const jane = from('14045550777')
    const ids = ['in-1', 'in-2', 'in-3'].map((id) => `${id}-${crypto.randomUUID()}`)
    await receive(...ids.map((networkId, n) => arrival(first, { from: jane, networkId }, later(n))))
    const calls = noteSeen()
    expect(await client.chats.read({ phone: '14045550777' })).toMatchObject({ marked: 3 })
    expect(await client.chats.read({ phone: '14045550777' })).toMatchObject({ marked: 0 })
    expect(calls).toEqual([[first.containerId, jane, ids]])
  })

  it('does so for single messages too, under the hidden id of a person without a number', async () => {
    const { first, client } = await makeOne()
    const hidden = { kind: 'lid', id: '445566@lid' } as const
    await receive(
      arrival(first, { from: hidden, networkId: 'lid-1' }),
      arrival(first, { from: hidden, networkId: 'lid-2' }, later(1)),
    )
    const calls = noteSeen()
    const { messages } = await client.chats.unread()
    await client.chats.ack({ ids: [messages[0]?.id ?? ''] })
    expect(calls).toEqual([[first.containerId, hidden, ['lid-1']]])
  })

  it('succeeds although the network fails, and asks none for a number that is not connected', async () => {
    const { first, organizationId, client } = await makeOne()
    await receive(arrival(first, { from: from('14045550778') }))
    const calls = noteSeen(true)
    expect(await client.chats.read({ phone: '14045550778' })).toMatchObject({ marked: 1 })
    expect(calls).toHaveLength(1)
    await rows(db, `update numbers set status = 'STOPPED' where organization_id = :organizationId`, { organizationId })
    await receive(arrival(first, { from: from('14045550778') }, later(1)))
    expect(await client.chats.read({ phone: '14045550778' })).toMatchObject({ marked: 1 })
    expect(calls).toHaveLength(1)
  })
})
