import type { Content } from '@msgctl/network/content'
import { describeGateway } from '@msgctl/network/contract-suite'
import { fails, type GatewayHarness, linked, listen, text, timeoutMs, to } from '@msgctl/network/contract-suite/harness'
import type { InboundMessage } from '@msgctl/network/events'
import { describe, expect, it } from 'vitest'
import { inboundBody, writeInbound } from '#networks/simulator/control/inbound.ts'
import { transcript, transcriptQuery } from '#networks/simulator/control/transcript.ts'
import { saveName } from '#networks/simulator/sessions/store.ts'
import { testDatabase } from '#testing/database.ts'
import { seedChats, shownText } from '#testing/simulator/phone.ts'
import type { EngineName } from '#testing/waha/failures.ts'
import { openWahaNetwork } from '#testing/waha/network.ts'

const { db } = await testDatabase()
const person = '12025550100'

async function open(engine: EngineName) {
  const network = await openWahaNetwork(db, { engine, acksByLid: engine === 'GOWS' })
  return {
    gateway: network.driver,
    newNumber: network.newNumber,
    link: network.link,
    reachablePerson: person,
    unreachablePerson: '12025550101',
    writeTo: async ({ containerId }, text) =>
      void (await writeInbound(network.sim, inboundBody.parse({ containerId, from: person, text }))),
    async reached({ containerId }, clientId) {
      const { messages } = await transcript(network.sim, transcriptQuery.parse({ containerId }))
      return messages.filter((message) => message.clientId === clientId).length
    },
    phoneShows: (session, networkId) => shownText(db, session, networkId),
    seedHistory: (session, chats) => seedChats(db, session, chats),
    saveContact: (session, digits, name) => saveName(db, session, digits, name),
    /** The owner writes to a person on the phone. */
    writeOnPhone: async ({ containerId }, text) =>
      void (await writeInbound(network.sim, inboundBody.parse({ containerId, from: person, text, fromMe: true }))),
  } satisfies GatewayHarness & { writeOnPhone: GatewayHarness['writeTo'] }
}

describeGateway('waha with GOWS', () => open('GOWS'))

// Everything else reads the same responses as over GOWS.
describe('over NOWEB, whose responses differ', () => {
  it.each<Content>([text('hi'), { kind: 'poll', question: 'Tea?', options: ['Yes', 'No'], multipleAnswers: false }])(
    'a send of $kind is named by its key, and acknowledged by a receipt',
    async (content) => {
      const harness = await open('NOWEB')
      const session = await linked(harness)
      const listener = listen(harness.gateway)
      const clientId = crypto.randomUUID()
      const sent = await harness.gateway.send(session, to(harness), content, { clientId, timeoutMs })
      expect(sent).toMatchObject({ ref: { networkId: clientId }, status: 'pending' })
      await listener.until((events) =>
        events.some(
          (event) => event.kind === 'message.status' && event.networkId === clientId && event.status === 'sent',
        ),
      )
      await listener.stop()
    },
  )

  it('a recipient who is not on the network is refused', async () => {
    const harness = await open('NOWEB')
    const session = await linked(harness)
    const nobody = { kind: 'phone', digits: harness.unreachablePerson } as const
    await fails(harness.gateway.send(session, nobody, text('x'), { clientId: 'x', timeoutMs }), 'recipient', 'not_sent')
  })

  it('messages of people and of the owner are reported, and the file of one is fetched', async () => {
    const harness = await open('NOWEB')
    const session = await linked(harness)
    const listener = listen(harness.gateway)
    const chat = { kind: 'phone', digits: '12025550136' } as const
    await harness.gateway.send(session, chat, text('a photo, please'), { clientId: crypto.randomUUID(), timeoutMs })
    await harness.writeTo(session, 'good morning')
    await harness.writeOnPhone(session, 'from the phone')
    const received = () =>
      listener.events.flatMap((event) =>
        event.kind === 'message.in' && event.containerId === session.containerId ? [event.message] : [],
      )
    const find = (type: InboundMessage['type']) => received().find((message) => message.type === type)
    await listener.until((events) => find('image') !== undefined && events.some(({ kind }) => kind === 'message.out'))
    await listener.until(() => find('chat')?.text === 'good morning')
    await listener.stop()
    expect(listener.events.find(({ kind }) => kind === 'message.out')).toMatchObject({
      to: to(harness),
      text: 'from the phone',
    })
    const { networkId = '', raw = null } = find('image') ?? {}
    const file = await harness.gateway.fetchMedia(session, { networkId, chat, raw })
    file?.bytes.destroy()
    expect(file?.mimetype).toMatch(/^image\//)
  })

  it('chats that the phone shared are shown, the oldest message first', async () => {
    const harness = await open('NOWEB')
    const messages = [
      { direction: 'out', text: 'question' },
      { direction: 'in', text: 'answer' },
    ] as const
    const session = await linked(harness, [{ digits: person, messages }])
    expect(await harness.gateway.messages(session, to(harness), 10)).toMatchObject(messages)
  })
})
