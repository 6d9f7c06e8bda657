import type { Product } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { grantProducts, revokeProducts } from '#people/organizations/products.ts'
import { setActive } from '#people/organizations/settings.ts'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { storeMessages } from '#testing/stored-messages.ts'
import { sweepNumbers } from './sweep.ts'

const server = await startTestServer({ worker: false })
const { services, db } = server

/** An organization with a number that works and one message in its queue. */
async function ground(options: { products?: readonly Product[]; granted?: boolean } = {}) {
  const organization = await makeOrganization(server, options)
  const containerId = await makeNumber(server, organization)
  const client = server.client(organization)
  const { messageId } = await client.alert.send({ phone: '12025550100', message: 'queued' })
  return {
    ...organization,
    containerId,
    client,
    status: async () => (await client.numbers.status()).status,
    message: async () => (await client.messages.get({ id: messageId })).message,
    messageId,
  }
}

async function endTrial(organizationId: string): Promise<void> {
  await rows(db, 'update organizations set trial_ends_at = service_now() where id = :organizationId', {
    organizationId,
  })
}

describe('the sweep of numbers', () => {
  it('stops the numbers of a trial that is over, fails what is queued, and deletes nothing', async () => {
    const { organizationId, containerId, client, status, message } = await ground({ granted: false })
    await endTrial(organizationId)
    await sweepNumbers(services)
    expect(await status()).toBe('STOPPED')
    expect(await services.gateway.state({ organizationId, containerId })).toMatchObject({ status: 'STOPPED' })
    expect(await message()).toMatchObject({ status: 'failed', errorCode: 'PRODUCT_REQUIRED' })
    await grantProducts(db, organizationId, ['notify'])
    await sweepNumbers(services)
    expect((await client.numbers.start()).status).toBe('starting')
  })

  it('fails what is queued on a number that was stopped before the product was gone', async () => {
    const { organizationId, client, message } = await ground({ granted: false })
    await client.numbers.stop()
    await sweepNumbers(services)
    expect((await message()).status).toBe('queued')
    await endTrial(organizationId)
    await sweepNumbers(services)
    expect(await message()).toMatchObject({ status: 'failed', errorCode: 'PRODUCT_REQUIRED' })
  })

  it('fails the rest of a queue that an earlier sweep left, or that a worker gave back since', async () => {
    const { organizationId, containerId, messageId, message } = await ground({ granted: false })
    await endTrial(organizationId)
    await sweepNumbers(services)
    await rows(db, `update messages set status = 'queued', failed_at = null where id = :messageId`, { messageId })
    await storeMessages(db, organizationId, { status: 'queued', count: 1200 })
    await rows(
      db,
      `update messages set container_id = :containerId where organization_id = :organizationId
        and container_id is null`,
      { containerId, organizationId },
    )
    const queued = async () =>
      (
        await rows(db, `select id from messages where container_id = :containerId and status = 'queued'`, {
          containerId,
        })
      ).length
    await sweepNumbers(services, 1000)
    expect(await queued()).toBe(201)
    await sweepNumbers(services, 1000)
    expect(await queued()).toBe(0)
    expect((await message()).status).toBe('failed')
  })

  it('leaves numbers alone while any product is active, on trial or granted', async () => {
    const trial = await ground({ granted: false, products: ['notify'] })
    const granted = await ground({ products: ['notify', 'shop'] })
    await revokeProducts(db, granted.organizationId, ['shop'])
    await sweepNumbers(services)
    for (const one of [trial, granted]) {
      expect(await one.status()).toBe('WORKING')
      expect((await one.message()).status).toBe('queued')
    }
  })

  it('stops the numbers of an organization that is shut out, and keeps its queue', async () => {
    const { organizationId, status, message } = await ground()
    await setActive(db, organizationId, false)
    for (let round = 0; round < 2; round += 1) await sweepNumbers(services)
    await setActive(db, organizationId, true)
    expect(await status()).toBe('STOPPED')
    expect((await message()).status).toBe('queued')
  })

  it('tries again later when it cannot reach the network, and continues with the others', async () => {
    const [down, up] = [await ground(), await ground()]
    await sim(server, `POST numbers/${down.containerId}/host-down`, {})
    for (const { organizationId } of [down, up])
      await rows(db, 'update organization_products set paused_at = service_now() where organization_id = :id', {
        id: organizationId,
      })
    await sweepNumbers(services)
    expect([await down.status(), await up.status()]).toEqual(['WORKING', 'STOPPED'])
    await sim(server, `POST numbers/${down.containerId}/host-up`, {})
    await sweepNumbers(services)
    expect(await down.status()).toBe('STOPPED')
  })

  it('fails what a worker held when the number was removed, and gave back', async () => {
    const { ownerId, organizationId, apiKey, containerId, client, message, messageId } = await ground()
    const owner = server.client({ token: await makeToken(server, { ownerId, organizationId, apiKey }) })
    await rows(db, `update messages set status = 'sending' where id = :messageId`, { messageId })
    await owner.numbers.delete({ containerId })
    expect((await message()).status).toBe('sending')
    await rows(db, `update messages set status = 'queued' where id = :messageId`, { messageId })
    await sweepNumbers(services)
    expect(await message()).toMatchObject({ status: 'failed', errorCode: 'NUMBER_REMOVED' })
    const { events } = await client.events.list()
    expect(events.map(({ event }) => event)).toEqual(['message.failed'])
  })
})
