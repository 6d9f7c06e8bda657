import { randomUUID } from 'node:crypto'
import { describeGateway } from '@msgctl/network/contract-suite'
import type { SeededChat } from '@msgctl/network/contract-suite/harness'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { direct } from '@msgctl/server/networks/gateway/direct/driver'
import { startClock } from '@msgctl/server/platform/db/clock'
import { startWake } from '@msgctl/server/platform/db/wake'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import { scanShown } from '@msgctl/server/testing/direct/scan-shown'
import pino from 'pino'
import { expect, onTestFinished } from 'vitest'
import { startHost, startNetwork } from './start-process.ts'

const { db, url } = await testDatabase()
const secretsKeys = newSecretsKeys()
const network = await startNetwork()
const host = await startHost({ databaseUrl: url, secretsKeys, network })
const clock = await startClock(db, { followMs: 30_000 })
const wake = startWake(db, url)
cleanUpAfterFile(async () => {
  await host.end()
  await network.end()
  await wake.stop()
  clock.stop()
})

let made = 0
const phones = new Map<string, string>()
const reachable = '12025550100'

function phoneOf({ containerId }: { readonly containerId: string }): string {
  const known = phones.get(containerId)
  if (known !== undefined) return known
  const phone = `1555${4_000_000 + made++}`
  phones.set(containerId, phone)
  return phone
}

/** A chat as a phone shares it. */
function toConversation({ digits, messages }: SeededChat) {
  const jid = `${digits}@s.whatsapp.net`
  return {
    id: jid,
    messages: messages.map(({ direction, text }, index) => ({
      message: {
        key: { remoteJid: jid, fromMe: direction === 'out', id: `HISTORY${index}` },
        message: { conversation: text },
        messageTimestamp: 1_790_000_000 + index,
      },
    })),
  }
}

describeGateway('sockets of our own', async () => {
  const driver = direct({ db, clock, wake, secrets: openSecrets(secretsKeys), log: pino({ level: 'silent' }) })
  onTestFinished(() => driver.close())
  const { network: net } = network
  return {
    gateway: driver,
    newNumber: () => ({ containerId: randomUUID(), organizationId: randomUUID() }),
    async link(session) {
      await scanShown(
        async () => (await driver.qr(session))?.text ?? '',
        (qr) => net.scan({ qr, phone: phoneOf(session) }),
      )
    },
    reachablePerson: reachable,
    unreachablePerson: '12025550101',
    async writeTo(session, text) {
      await net.write({ from: reachable, to: phoneOf(session), message: { conversation: text } })
    },
    async reached(session, clientId) {
      const { messages } = await net.transcript({ from: phoneOf(session) })
      return messages.filter(({ id }) => id === clientId).length
    },
    async phoneShows(session, networkId) {
      const { shown } = await net.phoneShows({ by: reachable, from: phoneOf(session), id: networkId })
      if (!shown || shown.revoked) return null
      const { extendedTextMessage } = shown.message as { extendedTextMessage?: { text?: string } }
      return shown.edited ?? extendedTextMessage?.text ?? null
    },
    async seedHistory(session, chats) {
      await net.setAccount({ phone: phoneOf(session), history: chats.map(toConversation) })
    },
    async saveContact(session, digits, name) {
      // The phone shares its key some time after the link.
      await expect.poll(() => net.saveContact({ phone: phoneOf(session), digits, name })).toEqual({})
    },
  }
})
