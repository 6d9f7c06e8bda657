import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { describe, expect, it } from 'vitest'
import { trustRoot } from './network/frames/identity.ts'
import { scanQr, typeCode } from './network/linking.ts'
import { Network } from './network/network.ts'
import { write } from './network/people/writing.ts'
import { serveNetwork } from './network/serve.ts'
import { type TruthClient, truthClients } from './truth-clients.ts'

const jane = '12025550100'
let made = 0

describe.each([
  ['hidden ids', 'lid'],
  ['phone numbers', 'phone'],
] as const)('the test network that names people by %s', (_, addressing) => {
  describe.each(Object.entries(truthClients))('with %s, unchanged', (name, { link, isEndedAfterLink }) => {
    async function open() {
      const network = new Network({ speed: 0.1, addressing, profile: 'lenient' })
      network.endsLinking = isEndedAfterLink
      const root = Buffer.from(network.identity.root.public)
      // The one client without an option for it takes the key from its module.
      trustRoot(root)
      const { url, close } = await serveNetwork(network)
      cleanUpAfterFile(close)
      const phone = `1555${3_500_000 + made++}`
      return { network, phone, link: (by: Parameters<typeof link>[1]) => link({ url, root }, by) }
    }

    async function talk({ network, phone }: Awaited<ReturnType<typeof open>>, client: TruthClient): Promise<void> {
      // A client that sends before it has uploaded its own keys fails, here as in the real network.
      const isReady = () => [...network.accounts.get(phone).devices.values()].every(({ keys }) => keys !== null)
      await expect.poll(isReady, { timeout: 5000 }).toBe(true)
      for (const text of ['one', 'two', 'three']) await client.send(jane, text)
      const shown = () =>
        network.transcript.flatMap(({ from, message }) =>
          from === phone ? [message.conversation || message.extendedTextMessage?.text] : [],
        )
      await expect.poll(shown).toEqual(['one', 'two', 'three'])
      await expect.poll(() => client.receipts).toContain('read')
      for (const text of ['four', 'five']) await write(network, jane, phone, { conversation: text })
      await expect.poll(() => client.texts).toEqual(['four', 'five'])
      expect(network.counts).toMatchObject({ undecryptable: 0, duplicates: 0 })
      // This old release does not know that both addresses of a person have one session, and requests messages again.
      if (addressing === 'phone' || name.startsWith('baileys')) expect(network.counts.retriesOfDevices).toBe(0)
      await client.close()
    }

    it('links by QR, sends, gets receipts and receives', async () => {
      const lab = await open()
      await talk(lab, await lab.link({ onQr: (qr) => scanQr(lab.network, qr, lab.phone) }))
    })

    it('links by a code, sends, gets receipts and receives', async () => {
      const lab = await open()
      const { network, phone } = lab
      const onCode = (code: string) => setTimeout(() => void typeCode(network, phone, code), 20)
      await talk(lab, await lab.link({ phone, onCode }))
    })
  })
})
