import type { GatewaySession, SessionState } from '@msgctl/network/session'
import { expect, it } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { openWahaNetwork, type WahaNetwork } from '#testing/waha/network.ts'

const { db } = await testDatabase()
const assertion = {
  id: 'AX8bTgH2',
  rawId: 'AX8bTgH2',
  type: 'public-key',
  response: { clientDataJSON: 'eyJ0eXBl', authenticatorData: 'SZYN5YgO', signature: 'MEUCIQD' },
}
const confirm = { step: 'confirm', code: 'QZ4X-81TB' }

async function unlinked(): Promise<{ network: WahaNetwork; session: GatewaySession }> {
  const network = await openWahaNetwork(db)
  const session = network.newNumber()
  await network.driver.start(session)
  await becomes(network, session, 'SCAN_QR_CODE')
  return { network, session }
}

function becomes({ driver }: WahaNetwork, session: GatewaySession, status: string) {
  return eventually(
    () => driver.state(session),
    (state) => state.status === status,
  )
}

it('links an account that needs a passkey, and names the code to compare for as long as it waits', async () => {
  const { network, session } = await unlinked()
  const { driver, fake } = network
  fake.show(session.containerId, 'PASSKEY_REQUIRED')
  const required = await driver.state(session)
  expect(required).toMatchObject({ status: 'SCAN_QR_CODE', reason: 'passkey_required' })
  expect(required.link).toMatchObject({ step: 'passkey', challenge: { rpId: 'web.whatsapp.com' } })
  await driver.passkey(session, assertion)
  for (let n = 0; n < 3; n++) expect((await driver.state(session)).link).toEqual(confirm)
  await driver.confirmLink(session)
  await becomes(network, session, 'WORKING')
})

it('reports the code by its poll when no webhook did', async () => {
  const { network, session } = await unlinked()
  const states: SessionState[] = []
  const stop = network.driver.subscribe(async (events) => {
    for (const event of events) {
      if (event.kind === 'session.state' && event.containerId === session.containerId) states.push(event.state)
    }
  })
  network.fake.loseWebhooks(true)
  network.fake.show(session.containerId, 'PASSKEY_CONFIRMATION_REQUIRED')
  await network.sim.clock.advance(61)
  network.sim.wake.signal('clock')
  await eventually(
    async () => states,
    (all) => all.at(-1)?.reason === 'passkey_required',
  )
  expect(states.at(-1)?.link).toEqual(confirm)
  await stop()
})
