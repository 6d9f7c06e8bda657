import { expect, it } from 'vitest'
import { makePerson } from '#testing/features/person.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const trialSeconds = 7 * 86_400

it('a product that the end of the trial paused is paused since then', async () => {
  const { client } = await makePerson(server)
  const byKey = server.client({ apiKey: (await client.account.generateKey()).apiKey })
  const onTrial = (await byKey.organization.get()).organization
  expect(onTrial.products.length).toBeGreaterThan(0)
  for (const { state, since } of onTrial.products) expect([state, since]).toEqual(['trial', null])

  await server.advance(trialSeconds)
  const { products, trialEndsAt } = (await byKey.organization.get()).organization
  expect(trialEndsAt).not.toBeNull()
  for (const { state, since } of products) expect([state, since]).toEqual(['paused', trialEndsAt])
})
