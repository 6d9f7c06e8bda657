import { describe, expect, it } from 'vitest'
import { applyState } from '#numbers/connection/state.ts'
import type { Wake } from '#platform/db/wake.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeAssistant } from '#testing/features/assistant.ts'
import { makePerson, newEmail, password } from '#testing/features/person.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { handleGatewayEvents } from './gateway-events.ts'

// Without a worker: what is signalled here was written by the call itself.
const server = await startTestServer({ worker: false })
const { wake } = server.services

type Channel = Parameters<Wake['signal']>[0]
const channels: readonly Channel[] = [
  ...(['lanes', 'lane-closed', 'deliveries', 'events', 'imports', 'mail', 'deletions', 'bots'] as const),
  ...(['credentials', 'gateway'] as const),
]
const signalled = new Set<Channel>()
for (const channel of channels) wake.on(channel, () => void signalled.add(channel))

/** The channels that are signalled while `work` runs. */
async function during(work: () => Promise<unknown>): Promise<Channel[]> {
  signalled.clear()
  await work()
  return [...signalled]
}

const phone = '12025550100'
const text = { phone, message: 'Hello' }

async function connected() {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  return { organization, number: { organizationId: organization.organizationId, containerId }, containerId }
}

async function asOwner() {
  const { organization, containerId } = await connected()
  return { client: server.client(organization), containerId }
}

/** What is done, by a call that was prepared, and the channels that it makes necessary. */
const writes: readonly (readonly [string, readonly Channel[], () => Promise<() => Promise<unknown>>])[] = [
  [
    'a text',
    ['lanes'],
    async () => {
      const { client } = await asOwner()
      return () => client.alert.send(text)
    },
  ],
  [
    'a text under a key',
    ['lanes'],
    async () => {
      const { client } = await asOwner()
      return () => client.alert.send(text, { idempotencyKey: crypto.randomUUID() })
    },
  ],
  [
    'a batch',
    ['lanes'],
    async () => {
      const { client } = await asOwner()
      return () => client.alert.batch({ recipients: [phone], message: 'Hello' })
    },
  ],
  [
    'a campaign',
    ['lanes'],
    async () => {
      const { client } = await asOwner()
      const { campaign } = await client.campaigns.create({ name: 'Spring', template: 'Hello', recipients: [{ phone }] })
      return () => client.campaigns.send({ id: campaign.id })
    },
  ],
  [
    'the end of a queued message',
    ['events', 'deliveries'],
    async () => {
      const { client } = await asOwner()
      const { messageId } = await client.alert.send(text)
      return () => client.alert.cancel({ messageId })
    },
  ],
  [
    'a sample event',
    ['deliveries'],
    async () => {
      const { client } = await asOwner()
      await client.webhook.set({ webhookUrl: 'https://example.com/hook' })
      return () => client.webhook.test({})
    },
  ],
  [
    'a message of the network',
    ['events', 'deliveries'],
    async () => {
      const { number } = await connected()
      return () => handleGatewayEvents(server.services, [arrival(number)])
    },
  ],
  [
    'a message for an assistant',
    ['bots', 'events', 'deliveries'],
    async () => {
      const { organization, containerId } = await makeAssistant(server)
      const number = { organizationId: organization.organizationId, containerId }
      return () => handleGatewayEvents(server.services, [arrival(number)])
    },
  ],
  [
    'a number that is stopped',
    ['lane-closed'],
    async () => {
      const { client, containerId } = await asOwner()
      return () => client.numbers.stop({ containerId })
    },
  ],
  [
    'a number that starts to work',
    ['lanes'],
    async () => {
      const organization = await makeOrganization(server)
      const containerId = await makeNumber(server, organization, { linked: false })
      const session = { organizationId: organization.organizationId, containerId }
      await sim(server, `POST numbers/${containerId}/scan`, { phone: '12025550777' })
      const state = await server.services.gateway.state(session)
      return () => applyState(server.services, { ...session, state, source: 'network' })
    },
  ],
  [
    'an import of chats',
    ['imports'],
    async () => {
      const { client } = await asOwner()
      return () => client.contacts.sync()
    },
  ],
  ['a sign-up', ['mail'], async () => () => makePerson(server)],
  [
    'a request for a new password',
    ['mail'],
    async () => () => server.client({}).auth.forgotPassword({ email: newEmail() }),
  ],
  [
    'a new password, which ends other sessions',
    ['mail', 'credentials'],
    async () => {
      const { client } = await makePerson(server)
      const newPassword = 'another long password'
      return () => client.auth.changePassword({ currentPassword: password, newPassword })
    },
  ],
  [
    'the end of an organization',
    ['deletions', 'credentials', 'lane-closed', 'mail'],
    async () => {
      const { client } = await makePerson(server, 'Grace')
      return () => client.organization.delete({ name: 'Grace Engines', password, deleteAccount: true })
    },
  ],
]

describe('what is stored', () => {
  it.each(writes)('signals for %s', async (_what, expected, prepare) => {
    expect(await during(await prepare())).toEqual(expect.arrayContaining([...expected]))
  })

  it('signals nothing for a request that is refused', async () => {
    const { client } = await asOwner()
    const { messageId } = await client.alert.send(text)
    await client.alert.cancel({ messageId })
    expect(await during(() => client.alert.cancel({ messageId }).catch(() => undefined))).toEqual([])
  })
})
