import { expect, it, vi } from 'vitest'
import { people } from '#testing/features/campaign-people.ts'
import { gapsOf, secondsOf } from '#testing/features/campaign-seconds.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { UNSAFE_DISABLE_PACING: 'false' } })
await server.services.clock.freeze()

const numbers = 40

it('campaigns over forty numbers send a message a second, in rotation, with typing only before a message', async () => {
  const organization = await makeOrganization(server)
  const client = server.client(organization)
  const typing = vi.spyOn(server.services.gateway, 'typing')
  const ids: string[] = []
  for (let n = 0; n < numbers; n += 1) {
    const containerId = await makeNumber(server, organization)
    const recipients = people(5, `1${String(50 + n)}`)
    const { id } = (await client.campaigns.create({ name: `Number ${n}`, template: 'hi', recipients })).campaign
    await client.campaigns.send({ id, containerId })
    ids.push(containerId)
  }
  const seconds = secondsOf(server, organization.organizationId)
  for (let second = 0; second < 55; second += 1) await seconds.pass()
  const inTurn = await Promise.all(ids.map((id) => transcriptOf(server, id)))
  const sent = inTurn.flat()
  // A worker that is late for a second of this test gives the turn back; with turns planned a minute ahead thirty left.
  expect(sent.length).toBeGreaterThanOrEqual(45)
  // Those started first may have had several turns before the others were there; then everybody had one before the
  // next.
  expect(Math.min(...inTurn.map((sent) => sent.length))).toBeGreaterThanOrEqual(1)

  for (const gap of gapsOf(sent)) expect(gap).toBeGreaterThanOrEqual(1)

  // Besides the recipients of a message, one or two see the typing indicator at this moment.
  const typedTo = typing.mock.calls.map(([, to]) => (to.kind === 'phone' ? to.digits : to.id))
  expect(new Set(typedTo).size).toBe(typedTo.length)
  expect(typedTo.length - sent.length).toBeLessThanOrEqual(3)
}, 120_000)
