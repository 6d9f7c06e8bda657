import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

describe('a campaign that is paused and resumed again and again while workers come and go', () => {
  it('reaches everybody exactly once, and its counts add up', async () => {
    const server = await startTestServer({ env: { UNSAFE_DISABLE_PACING: 'false' } })
    await server.services.clock.freeze()
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    const recipients = people(30)
    const { campaign } = await client.campaigns.create({ name: 'Stubborn', template: 'hi {{name}}', recipients })
    const { id } = campaign
    await client.campaigns.send({ id })
    for (let round = 0; round < 6; round += 1) {
      const second = await serveDatabase(server.db, server.databaseUrl, { env: { UNSAFE_DISABLE_PACING: 'false' } })
      for (let n = 0; n < 3; n += 1) await server.advance(3)
      const { jobsRemoved } = await client.campaigns.pause({ id })
      const written = (await client.campaigns.recipients({ id, limit: 100 })).recipients.filter(
        ({ status }) => status !== 'pending',
      )
      expect(jobsRemoved).toBe(recipients.length - written.length)
      await second.stop()
      expect(await client.campaigns.resume({ id })).toMatchObject({ status: 'sending', jobsRequeued: jobsRemoved })
    }
    await eventually(
      async () => {
        await server.advance(4)
        return client.campaigns.status({ id })
      },
      ({ status }) => status === 'completed',
    )
    const arrived = await transcriptOf(server, containerId)
    expect(arrived.map(({ to }) => to).sort()).toEqual(recipients.map(({ phone }) => phone).sort())
    expect((await client.campaigns.status({ id })).stats).toMatchObject({ total: 30, sent: 30, failed: 0 })
  }, 60_000)
})

describe('campaigns of one organization that wait for each other', () => {
  it('leave connections to the database for everybody else', async () => {
    const server = await startTestServer({ worker: false })
    const client = server.client(await makeOrganization(server))
    const other = server.client(await makeOrganization(server))
    const { campaign } = await client.campaigns.create({ name: 'Held', template: 'hi', recipients: people(1) })
    const { id } = campaign
    const holding = await server.db.transaction()
    await rows(holding, 'select id from campaigns where id = :id for update', { id })
    // More than the service has connections.
    const waiting = Promise.allSettled([
      ...Array.from({ length: 15 }, () => client.campaigns.pause({ id })),
      ...Array.from({ length: 15 }, () => client.campaigns.update({ id, name: 'Later' })),
    ])
    await eventually(
      () =>
        rows(
          server.db,
          "select 1 as waits from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        ),
      (found) => found.length >= 2,
    )
    for (let n = 0; n < 10; n += 1) expect((await other.campaigns.list()).campaigns).toEqual([])
    await holding.rollback()
    const outcomes = (await waiting).map(({ status }) => status)
    expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(15)
  })
})
