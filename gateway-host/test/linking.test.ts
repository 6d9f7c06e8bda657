import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const { driver, net, link, newSession, becomes } = await openHostLab()
const newest = 1_043_857_760

/** Starts a number that waits to be linked. */
async function waiting() {
  const session = newSession()
  await driver.start(session)
  await becomes(session, 'SCAN_QR_CODE')
  const readQr = async () => (await driver.qr(session))?.text ?? ''
  return { session, readQr, qr: await readQr() }
}

describe('a number that is being linked', () => {
  it('shows the first QR again with the secret that the network renewed, and is linked by it', async () => {
    const { session, readQr, qr } = await waiting()
    const scan = async (text: string) => net.scan({ qr: text, phone: '15557100001' })
    await expect(scan(qr)).rejects.toThrow('scan the QR that is shown next')
    await expect.poll(readQr).not.toBe(qr)
    const renewed = await readQr()
    expect(renewed.split(',')[0]).toBe(qr.split(',')[0])
    await scan(renewed)
    await becomes(session, 'WORKING')
  })

  it('says that the account demands a passkey, and shows no further QR', async () => {
    const { session, qr } = await waiting()
    await net.setAccount({ phone: '15557100002', needsPasskey: true })
    await net.scan({ qr, phone: '15557100002' })
    await becomes(session, 'FAILED')
    expect(await driver.state(session)).toMatchObject({ reason: 'passkey_required', retry: 'never' })
  })

  it('is linked by a code, which no account has before', async () => {
    const { session } = await waiting()
    const phone = '15557100003'
    const code = await driver.pairingCode(session, phone)
    expect(code).toMatch(/^[1-9A-HJ-NP-Z]{8}$/)
    await net.typeCode({ phone, code })
    await becomes(session, 'WORKING')
    expect((await driver.state(session)).me?.digits).toBe(phone)
  })

  it('reports that the network gives no code', async () => {
    const { session } = await waiting()
    await net.setFaults({ iq: { md: { code: '429', text: 'rate-overlimit' } } })
    await expect(driver.pairingCode(session, '15557100004')).rejects.toMatchObject({ kind: 'restricted' })
    await net.setFaults({})
  })

  it('is not linked by a phone that finds its version too old', async () => {
    const { qr } = await waiting()
    await net.setOldest({ linked: newest + 1 })
    await expect(net.scan({ qr, phone: '15557100005' })).rejects.toThrow('its version is too old')
    await net.setOldest({ linked: newest })
    await link('15557100005')
  })

  it('breaks no rule of the network', async () => {
    const { 'old-version-not-linked': _, ...broken } = (await net.broken({})).rules
    expect(broken).toEqual({})
  })
})
