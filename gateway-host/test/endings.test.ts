import { scanShown } from '@msgctl/server/testing/direct/scan-shown'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { driver, net } = lab

describe('a login that the network refuses', { timeout: 90_000 }, () => {
  it('with 403 ends the link, and a person who starts the number links it again', async () => {
    const phone = '15554490001'
    const session = await lab.link(phone)
    await net.refuse({ phone, refusal: { reason: '403', location: 'test' } })
    await lab.becomes(session, 'FAILED')
    expect(await driver.state(session)).toMatchObject({ reason: 'link_refused', retry: 'never', me: null })

    await net.refuse({ phone, refusal: null })
    await driver.start(session)
    await lab.becomes(session, 'SCAN_QR_CODE')
    await scanShown(
      async () => (await driver.qr(session))?.text ?? '',
      (qr) => net.scan({ qr, phone }),
    )
    await lab.becomes(session, 'WORKING')
  })

  it('with 402 names the cause and the end of the restriction', async () => {
    const phone = '15554490002'
    const session = await lab.link(phone)
    await net.refuse({ phone, refusal: { reason: '402', code: '104', expire: '7200', location: 'test' } })
    await lab.becomes(session, 'FAILED')
    const { reason, code, retry } = await driver.state(session)
    expect({ reason, code }).toEqual({ reason: 'restricted', code: 104 })
    expect(Math.round((Number(retry) - Date.now()) / 60_000)).toBe(120)
  })

  it('with a code of no known meaning fails at the third time, with the code', async () => {
    const phone = '15554490003'
    const session = await lab.link(phone)
    await net.refuse({ phone, refusal: { reason: '409', location: 'test' } })
    await lab.becomes(session, 'FAILED')
    expect(await driver.state(session)).toMatchObject({ reason: 'unknown', code: 409, retry: 'never' })
    const isEnd = (line: string) => line.includes('connection_ended') && line.includes(session.containerId)
    const ends = lab.output().split('\n').filter(isEnd)
    expect(ends.filter((line) => line.includes('"code":409'))).toHaveLength(3)
  })
})
