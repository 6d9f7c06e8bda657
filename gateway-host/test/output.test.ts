import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'
import { countIn, readKeys } from './stored-secrets.ts'

const lab = await openHostLab({ LOG_LEVEL: 'trace', GATEWAY_LEASE_SECONDS: '10' })
const { db, driver, net, secrets } = lab
const [jane, phone] = ['12025550100', '15554490001']
const to = { kind: 'phone', digits: jane } as const
const timeoutMs = 20_000
const words = { sent: 'zebra-sent', received: 'zebra-received', edited: 'zebra-edited', caption: 'zebra-caption' }

describe('all output of a host', () => {
  it('contains no key of a number in any form, no text and no person', { timeout: 180_000 }, async () => {
    const session = await lab.link(phone)
    await expect.poll(() => net.saveContact({ phone, digits: jane, name: 'zebra-name' })).toEqual({})
    const keys: Buffer[] = []
    const text = (content: string) => ({ kind: 'text', text: content }) as const
    async function talk(n: number): Promise<void> {
      const clientId = `SENT${n}`
      const { ref } = await driver.send(session, to, text(`${words.sent} ${n}`), { clientId, timeoutMs })
      await driver.edit(session, ref, `${words.edited} ${n}`, { timeoutMs })
      const photo = randomBytes(1000)
      const file = { bytes: () => Readable.from([photo]), sizeBytes: photo.length, mimetype: 'image/png' }
      await driver.send(
        session,
        to,
        { kind: 'image', ...file, caption: words.caption },
        { clientId: `P${n}`, timeoutMs },
      )
      await net.write({ from: jane, to: phone, message: { conversation: `${words.received} ${n}` } })
      await expect.poll(() => lab.eventsOf(session, 'message.in').length).toBeGreaterThan(n)
      keys.push(...(await readKeys(db, secrets, session.containerId)))
    }
    /** Ends the connection, and waits until the number is connected again. */
    async function loginAgain(end: () => Promise<unknown>): Promise<void> {
      const { logins } = await net.counts({})
      await end()
      await expect.poll(async () => (await net.counts({})).logins, { timeout: 60_000 }).toBeGreaterThan(logins)
      const isReached = () =>
        driver.typing(session, to, false).then(
          () => true,
          () => false,
        )
      await expect.poll(isReached, { timeout: 60_000 }).toBe(true)
    }

    await talk(0)
    await loginAgain(() => net.streamError({ phone, code: '503' }))
    await talk(1)
    await loginAgain(() => lab.replaceHost(async () => undefined))
    await talk(2)
    await driver.logout(session)
    await lab.becomes(session, 'SCAN_QR_CODE')
    const output = lab.output()
    expect(output.length).toBeGreaterThan(100)
    expect(keys.length).toBeGreaterThan(1000)
    expect(countIn(output, keys)).toBe(0)
    for (const private_ of ['zebra', jane, phone]) expect(output).not.toContain(private_)
  })

  it.each([
    ['base64', (key: Buffer) => JSON.stringify({ key: key.toString('base64') })],
    ['base64url', (key: Buffer) => key.toString('base64url')],
    ['hex', (key: Buffer) => `\\x${key.toString('hex')}`],
    ['what the console shows of a buffer', (key: Buffer) => inspect({ privKey: key })],
    ['decimals', (key: Buffer) => JSON.stringify(key)],
    ['what the console shows of bytes', (key: Buffer) => inspect(Uint8Array.from(key))],
  ])('would be recognized with a key as %s', (_, write) => {
    const key = randomBytes(32)
    expect(countIn(`before ${write(key)} after`, [key, randomBytes(32)])).toBe(1)
  })
})
