import type { SessionState } from '@msgctl/network/gateway'
import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { services, db } = server

/** A number of a real network, and a way to report states of it. */
async function aRealNumber() {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization, { linked: false })
  const { organizationId } = organization
  await rows(db, `update numbers set gateway = 'direct' where id = :containerId`, { containerId })
  let sequence = Date.now() * 2
  async function report(...states: Omit<SessionState, 'sequence' | 'me'>[]) {
    for (const one of states) {
      sequence += 1
      const at = services.clock.now()
      const state = { ...one, me: null, sequence }
      await handleGatewayEvents(services, [{ kind: 'session.state', containerId, organizationId, at, state }])
    }
  }
  const client = server.client(organization)
  /** A QR that nothing scans, as the host reports it, and the start of the next one. */
  async function failLink() {
    await report({ status: 'SCAN_QR_CODE' }, { status: 'FAILED', reason: 'qr_expired' })
    const failed = await client.numbers.status()
    await rows(db, `update numbers set status = 'STARTING' where id = :containerId`, { containerId })
    return failed
  }
  return { report, failLink, status: () => client.numbers.status() }
}

it('warns of a third link after two that failed within a day, until one succeeds', async () => {
  const { report, failLink, status } = await aRealNumber()
  expect((await failLink()).linkWarning).toBeNull()
  const second = await failLink()
  expect(second.linkWarning).toMatch(/^Stop, and read this: /)
  expect(second.action).toMatchObject({ type: 'start', message: second.linkWarning })
  await report({ status: 'SCAN_QR_CODE' })
  expect(await status()).toMatchObject({ action: { type: 'scan_qr', message: second.linkWarning } })
  await report({ status: 'WORKING' })
  expect((await status()).linkWarning).toBeNull()
  await report({ status: 'SCAN_QR_CODE', reason: 'logged_out' })
  expect((await status()).linkWarning).toBeNull()
})

it('hides no code that a person has to compare', async () => {
  const { report, failLink, status } = await aRealNumber()
  await failLink()
  await failLink()
  await report({ status: 'SCAN_QR_CODE', link: { step: 'confirm', code: 'AB12' } })
  const { linkWarning, action } = await status()
  expect(linkWarning).not.toBeNull()
  expect(action).toMatchObject({ type: 'passkey', message: expect.stringContaining('AB12') })
})

it('forgets links that failed a day ago', async () => {
  const { report, failLink, status } = await aRealNumber()
  await failLink()
  await server.advance(23 * 3600)
  expect((await failLink()).linkWarning).not.toBeNull()
  await server.advance(2 * 3600)
  await report({ status: 'SCAN_QR_CODE' })
  expect((await status()).linkWarning).toBeNull()
})
