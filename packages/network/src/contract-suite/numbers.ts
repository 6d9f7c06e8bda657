import { expect, it } from 'vitest'
import { becomes, fails, linked, type MakeHarness } from './harness.ts'

/** What every driver promises of linking and running a number. */
export function describeNumbers(makeHarness: MakeHarness): void {
  it('reports a number that it does not know as STOPPED', async () => {
    const { gateway, newNumber } = await makeHarness()
    expect(await gateway.state(newNumber())).toMatchObject({ status: 'STOPPED', me: null })
  })

  it('requests a scan of a QR code that will expire, and works with the phone that scans', async () => {
    const harness = await makeHarness()
    const { gateway } = harness
    const session = harness.newNumber()
    await gateway.ensure(session)
    await gateway.start(session)
    await becomes(gateway, session, 'SCAN_QR_CODE')
    const qr = await gateway.qr(session)
    expect(qr?.text).not.toBe('')
    expect(qr?.expiresAt).toBeInstanceOf(Date)
    await harness.link(session)
    await becomes(gateway, session, 'WORKING')
    expect((await gateway.state(session)).me?.digits).toMatch(/^[1-9]\d{6,14}$/)
    expect(await gateway.qr(session)).toBeNull()
  })

  it.each(['ensure', 'start'] as const)('accepts a second %s of the same number', async (call) => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const { status, me } = await harness.gateway.state(session)
    await harness.gateway[call](session)
    expect(await harness.gateway.state(session)).toMatchObject({ status, me })
  })

  it.each(['stop', 'restart'] as const)('keeps the link to the phone over a %s', async (call) => {
    const harness = await makeHarness()
    const session = await linked(harness)
    const { me } = await harness.gateway.state(session)
    await harness.gateway[call](session)
    await harness.gateway[call](session)
    await harness.gateway.start(session)
    await becomes(harness.gateway, session, 'WORKING')
    expect((await harness.gateway.state(session)).me).toEqual(me)
  })

  it('requests a scan again after a logout, even a repeated one', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    await harness.gateway.logout(session)
    await harness.gateway.logout(session)
    await harness.gateway.start(session)
    await becomes(harness.gateway, session, 'SCAN_QR_CODE')
    expect((await harness.gateway.state(session)).me).toBeNull()
  })

  it('forgets a number for good', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    await harness.gateway.remove(session)
    await harness.gateway.remove(session)
    expect((await harness.gateway.state(session)).status).toBe('STOPPED')
    await harness.gateway.start(session)
    await becomes(harness.gateway, session, 'SCAN_QR_CODE')
  })

  it('gives a pairing code of eight characters where it can pair', async ({ skip }) => {
    const harness = await makeHarness()
    skip(!harness.gateway.caps.has('pair'))
    const session = harness.newNumber()
    await harness.gateway.start(session)
    await becomes(harness.gateway, session, 'SCAN_QR_CODE')
    expect(await harness.gateway.pairingCode(session, harness.reachablePerson)).toMatch(/^[A-Z0-9]{8}$/)
  })

  it('refuses a passkey where it knows none', async ({ skip }) => {
    const harness = await makeHarness()
    skip(harness.gateway.caps.has('passkey'))
    const session = harness.newNumber()
    await harness.gateway.start(session)
    await fails(harness.gateway.passkey(session, {}), 'unsupported', 'not_sent')
    await fails(harness.gateway.confirmLink(session), 'unsupported', 'not_sent')
  })

  it('says that it is healthy, for itself and for one number', async () => {
    const harness = await makeHarness()
    const session = await linked(harness)
    expect(await harness.gateway.health()).toMatchObject({ ok: true })
    expect(await harness.gateway.health(session)).toMatchObject({ ok: true })
    expect(await harness.gateway.silentHosts([session, harness.newNumber()])).toEqual(new Set())
  })
}
