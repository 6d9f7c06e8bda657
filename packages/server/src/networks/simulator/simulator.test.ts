import { describeGateway } from '@msgctl/network/contract-suite'
import { testDatabase } from '#testing/database.ts'
import { openNetwork, person, someNumber } from '#testing/simulator/network.ts'
import { seedChats, shownText } from '#testing/simulator/phone.ts'
import { scanCode } from './control/control.ts'
import { inboundBody, writeInbound } from './control/inbound.ts'
import { countTranscript, readTranscript } from './control/store.ts'
import { saveName } from './sessions/store.ts'

const { db } = await testDatabase()

describeGateway('the simulator', async () => {
  const { ctx, gateway } = await openNetwork(db)
  return {
    gateway,
    newNumber: someNumber,
    link: async ({ containerId }) => void (await scanCode(ctx, containerId)),
    reachablePerson: person('0100').digits,
    unreachablePerson: person('0101').digits,
    writeTo: async ({ containerId }, text) => {
      await writeInbound(ctx, inboundBody.parse({ containerId, from: person('0100').digits, text }))
    },
    phoneShows: (session, networkId) => shownText(db, session, networkId),
    seedHistory: (session, chats) => seedChats(db, session, chats),
    saveContact: (session, digits, name) => saveName(db, session, digits, name),
    async reached({ containerId }, clientId) {
      const scope = { containerId, chats: null }
      const page = await readTranscript(db, { ...scope, after: 0, limit: (await countTranscript(db, scope)) + 1 })
      return page.filter((message) => message.clientId === clientId).length
    },
  }
})
