import { restoreLink } from '@msgctl/server/networks/gateway/direct/retired-link-store'
import { scanShown } from '@msgctl/server/testing/direct/scan-shown'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { db, driver, net } = lab
const jane = '12025550100'

describe('a link that the network ended', { timeout: 90_000 }, () => {
  it('is kept, can be restored, and then sends and decrypts as before', async () => {
    const phone = '15554480001'
    const session = await lab.link(phone)
    const { containerId } = session
    const exchange = async (round: string) => {
      const content = { kind: 'text', text: `to ${round}` } as const
      const to = { kind: 'phone', digits: jane } as const
      await driver.send(session, to, content, { clientId: `TO${round}`, timeoutMs: 10_000 })
      const { id } = await net.write({ from: jane, to: phone, message: { conversation: `from ${round}` } })
      const arrived = () => lab.eventsOf(session, 'message.in').map(({ message }) => message.networkId)
      await expect.poll(arrived).toContain(id)
    }
    await exchange('BEFORE')
    const { undecryptable } = await net.counts({})
    await net.refuse({ phone, refusal: { reason: '401', location: 'test' } })
    await lab.becomes(session, 'SCAN_QR_CODE')
    const stored = await db('gateway_sessions').where({ containerId }).first('retiredAt', 'me')
    expect(stored).toEqual({ retiredAt: expect.any(Date), me: null })

    await net.refuse({ phone, refusal: null })
    expect(await restoreLink(db, session)).toBe(true)
    await lab.becomes(session, 'WORKING')
    await exchange('AFTER')
    expect((await net.counts({})).undecryptable).toBe(undecryptable)
  })

  it('is no obstacle to a new link, and is deleted by a logout', async () => {
    const phone = '15554480002'
    const session = await lab.link(phone)
    const { containerId } = session
    const retired = () => db('gateway_keys').where({ containerId }).where('kind', '>=', 1000).count()
    await net.unlink({ phone })
    await lab.becomes(session, 'SCAN_QR_CODE')
    await scanShown(
      async () => (await driver.qr(session))?.text ?? '',
      (qr) => net.scan({ qr, phone }),
    )
    await lab.becomes(session, 'WORKING')
    expect(Number((await retired())[0]?.count)).toBeGreaterThan(0)
    await driver.logout(session)
    await lab.becomes(session, 'SCAN_QR_CODE')
    expect(await retired()).toEqual([{ count: 0 }])
    const stored = await db('gateway_sessions').where({ containerId }).first('retiredAt')
    expect(stored).toEqual({ retiredAt: null })
  })
})
