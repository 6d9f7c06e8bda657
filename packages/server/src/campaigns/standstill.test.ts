import { expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '../test/make.ts'
import { transcriptOf } from '../test/sim.ts'
import { startTestServer } from '../test/start-server.ts'
import { people } from './test-people.ts'
import { gapsOf, secondsOf } from './test-seconds.ts'

const server = await startTestServer({ env: { PACING: 'on' } })
await server.services.clock.freeze()

it('a worker that stood still lets what is overdue leave at the distances of campaigns, and not at once', async () => {
  const organization = await makeOrganization(server)
  const client = server.client(organization)
  const ids = [await makeNumber(server, organization), await makeNumber(server, organization)]
  const seconds = secondsOf(server, organization.organizationId)
  for (const [n, containerId] of ids.entries()) {
    const recipients = people(6, `15${n}`)
    const { id } = (await client.campaigns.create({ name: `Number ${n}`, template: 'hi', recipients })).campaign
    await client.campaigns.send({ id, containerId })
  }
  await seconds.passUntil(2)
  // The worker holds those of the next eight seconds, of each number one at least; a second passes for it as ten.
  const before = await seconds.pass(0)
  expect(await seconds.pass(10)).toBeLessThanOrEqual(before + 1)
  await seconds.passUntil(12)

  const perNumber = await Promise.all(ids.map((id) => transcriptOf(server, id)))
  for (const sent of perNumber) {
    expect(sent).toHaveLength(6)
    for (const gap of gapsOf(sent)) expect(gap).toBeGreaterThanOrEqual(3)
  }
  for (const gap of gapsOf(perNumber.flat())) expect(gap).toBeGreaterThanOrEqual(1)
}, 60_000)
