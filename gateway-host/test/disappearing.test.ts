import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab({ GATEWAY_LEASE_SECONDS: '4' })
const { driver, net } = lab

describe('a chat whose messages disappear', () => {
  it('has its timer in what is sent, until a person turns it off', async () => {
    const [phone, jane] = ['15557770004', '12025557005']
    const session = await lab.link(phone)
    const to = { kind: 'phone', digits: jane } as const
    /** Returns the timer of a text that is sent now. */
    async function timerSent(clientId: string): Promise<number | undefined> {
      const text = { kind: 'text', text: clientId } as const
      const send = () => driver.send(session, to, text, { clientId, timeoutMs: 10_000 })
      // A host that starts takes the number over a moment later.
      await expect
        .poll(() =>
          send().then(
            ({ status }) => status,
            () => 'refused',
          ),
        )
        .toBe('sent')
      const shown = async () => (await net.phoneShows({ by: jane, from: phone, id: clientId })).shown
      await expect.poll(shown).toMatchObject({ id: clientId })
      const { message } = (await shown()) ?? {}
      const { extendedTextMessage } = message as { extendedTextMessage: { contextInfo?: { expiration?: number } } }
      return extendedTextMessage.contextInfo?.expiration
    }
    const arrived = () => lab.eventsOf(session, 'message.in').length
    const disappearing = { text: 'soon gone', contextInfo: { expiration: 86_400 } }
    await net.write({ from: jane, to: phone, message: { extendedTextMessage: disappearing } })
    await expect.poll(arrived).toBe(1)
    expect(await timerSent('DURING')).toBe(86_400)
    await lab.replaceHost(async () => undefined)
    expect(await timerSent('RESTARTED')).toBe(86_400)
    await net.write({ from: jane, to: phone, message: { protocolMessage: { type: 3, ephemeralExpiration: 0 } } })
    await net.write({ from: jane, to: phone, message: { conversation: 'back to normal' } })
    await expect.poll(arrived).toBe(2)
    expect(await timerSent('AFTER')).toBeUndefined()
  })
})
