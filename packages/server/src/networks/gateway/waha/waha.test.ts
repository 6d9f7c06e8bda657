import { describeGateway } from '@msgctl/network/contract-suite'
import { inboundBody, writeInbound } from '#networks/simulator/control/inbound.ts'
import { transcript, transcriptQuery } from '#networks/simulator/control/transcript.ts'
import { saveName } from '#networks/simulator/sessions/store.ts'
import { testDatabase } from '#testing/database.ts'
import { seedChats, shownText } from '#testing/simulator/phone.ts'
import { openWahaNetwork } from '#testing/waha/network.ts'

const { db } = await testDatabase()
const person = '12025550100'

for (const engine of ['GOWS', 'NOWEB'] as const) {
  describeGateway(`waha with ${engine}`, async () => {
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
    }
  })
}
