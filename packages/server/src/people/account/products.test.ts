import type { Feature, Product } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })

const all: readonly Product[] = ['notify', 'assistant', 'shop', 'developer', 'connect']
const subsets = Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_, n) => bits & (1 << n)))

/**
 * Returns the features of some products, in the words of the specification ("Products and what a key reaches"): OTP,
 * media sends and the full event set stay with Developer; campaigns and reminders need Notify and, for an API key, also
 * Developer or Connect. Assistant and Shop unlock bots.
 */
function featuresOf(held: readonly Product[], byKey: boolean): Feature[] {
  const has = (product: Product) => held.includes(product)
  const planned = has('notify') && (!byKey || has('developer') || has('connect'))
  const table: [Feature, boolean][] = [
    ['send', held.length > 0],
    ['batch', has('notify') || has('developer') || has('connect')],
    ['api', held.length > 0],
    ['otp', has('developer')],
    ['media', has('developer')],
    ['webhooks', has('assistant') || has('shop') || has('developer')],
    ['campaigns', planned],
    ['reminders', planned],
    ['inbox', has('connect')],
    ['bots', has('assistant') || has('shop')],
  ]
  return table.filter(([, open]) => open).map(([feature]) => feature)
}

/** How many numbers some products allow; null for no limit. */
function maximumOf(held: readonly Product[]): number | null {
  if (held.length === 0) return 0
  return held.includes('developer') || held.includes('connect') ? 3 : null
}

describe('every set of products', () => {
  it.each(subsets.map((held) => [held.join(' and ') || 'none', held] as const))(
    '%s: shows its features and how many numbers it allows',
    async (_name, held) => {
      const organization = await makeOrganization(server, { products: held })
      const key = server.client(organization)
      const person = server.client({ token: await makeToken(server, organization) })
      const maximum = maximumOf(held)
      const [byKey, byPerson, list] = [await key.account.me(), await person.account.me(), await key.numbers.list()]
      expect(byKey).toMatchObject({ products: held, features: featuresOf(held, true), maxNumbers: maximum })
      expect(byPerson.features).toEqual(featuresOf(held, false))
      expect(list).toEqual({
        sessions: [],
        maxSessions: maximum,
        usedSessions: 0,
        canCreate: held.length > 0,
        allowance: {
          capped: maximum !== null,
          included: maximum ?? 0,
          extra: 0,
          extraExpiresAt: null,
          used: 0,
          max: maximum ?? 0,
          over: 0,
        },
      })
    },
  )
})

describe('a trial', () => {
  it('ends with its products paused and nothing deleted, and a granted product opens them again', async () => {
    const organization = await makeOrganization(server, { products: ['notify', 'developer'], granted: false })
    const { organizationId } = organization
    await makeNumber(server, organization)
    const client = server.client(organization)
    const { messageId } = await client.alert.send({ phone: '12025550100', message: 'on trial' })
    await server.advance(7 * 86_400 + 60)
    expect(await client.account.me()).toMatchObject({ products: [], features: [], maxNumbers: 0 })
    expect(await client.numbers.list()).toMatchObject({
      maxSessions: 0,
      usedSessions: 1,
      canCreate: false,
      allowance: { over: 1 },
    })
    await expect(client.alert.send({ phone: '12025550100', message: 'later' })).rejects.toMatchObject({
      code: 'PRODUCT_REQUIRED',
      status: 403,
      details: { products: all },
    })
    await expect(client.otp.send({ phone: '12025550100' })).rejects.toMatchObject({
      code: 'PRODUCT_REQUIRED',
      details: { products: ['developer'] },
    })
    expect((await client.messages.get({ id: messageId })).message.content).toBe('on trial')
    await rows(
      server.db,
      `update organization_products set granted_at = service_now()
        where organization_id = :organizationId and product = 'notify'`,
      { organizationId },
    )
    expect(await client.account.me()).toMatchObject({ products: ['notify'], features: ['send', 'batch', 'api'] })
    expect((await client.alert.send({ phone: '12025550100', message: 'paid' })).status).toBe('queued')
  })

  it('is something else than no product at all', async () => {
    const client = server.client(await makeOrganization(server, { products: [] }))
    await expect(client.alert.send({ phone: '12025550100', message: 'x' })).rejects.toMatchObject({
      code: 'NO_ACTIVE_PRODUCT',
      status: 403,
      details: { products: all },
    })
    expect(await client.account.me()).toMatchObject({ products: [], features: [] })
  })
})
