import { afterAll, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { advanceToNoon } from '#testing/advance-to-noon.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
await advanceToNoon(server.services.clock)
const second = await serveDatabase(server.db, server.databaseUrl, { worker: false })
afterAll(() => second.stop())

/** Phones of people on the simulated network that no two sends share. */
const phones = (count: number, from: number) => Array.from({ length: count }, (_, n) => `1202444${from + n}`)

describe('batches, campaigns, codes and single sends that race for the last messages of a trial', () => {
  it('from two services never pass 100, and each is queued whole or not at all', async () => {
    const trial = await makeOrganization(server, { granted: false })
    const { organizationId } = trial
    await makeNumber(server, trial)
    const [one, other] = [server.client(trial), second.client(trial)]
    const create = async (count: number, area: string) =>
      (await one.campaigns.create({ name: 'Race', template: 'hi', recipients: people(count, area) })).campaign.id
    const campaigns = [await create(30, '152'), await create(25, '153')]
    await one.alert.batch({ recipients: phones(35, 1000), message: 'before the race' })

    const racers: { takes: number; outcome: Promise<unknown> }[] = [
      { takes: 20, outcome: one.alert.batch({ recipients: phones(20, 2000), message: 'x' }) },
      { takes: 30, outcome: other.campaigns.send({ id: String(campaigns[0]) }) },
      { takes: 30, outcome: other.alert.batch({ recipients: phones(30, 3000), message: 'x' }) },
      { takes: 25, outcome: one.campaigns.send({ id: String(campaigns[1]) }) },
      ...Array.from({ length: 12 }, (_, n) => ({
        takes: 1,
        outcome: (n % 2 ? one : other).alert.send({ phone: `1202445${1000 + n}`, message: 'x' }),
      })),
      ...Array.from({ length: 6 }, (_, n) => ({
        takes: 1,
        outcome: (n % 2 ? one : other).otp.send({ phone: `1202446${1000 + n}` }),
      })),
    ]
    const outcomes = await Promise.allSettled(racers.map(({ outcome }) => outcome))
    const taken = racers
      .filter((_, n) => outcomes[n]?.status === 'fulfilled')
      .reduce((sum, { takes }) => sum + takes, 35)
    for (const [n, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') continue
      const { used, ...details } = outcome.reason.details
      expect(outcome.reason).toMatchObject({ code: 'TRIAL_LIMIT_REACHED', status: 429 })
      expect(details).toMatchObject({ limit: 100, requested: racers[n]?.takes })
      expect(used + details.requested).toBeGreaterThan(100)
    }
    const [stored] = await rows<{ messages: number; used: number }>(
      server.db,
      `select (select count(*) from messages where organization_id = :organizationId) as messages,
              (select used from trial_usage where organization_id = :organizationId) as used`,
      { organizationId },
    )
    expect(taken).toBeLessThanOrEqual(100)
    expect(stored).toEqual({ messages: taken, used: taken })
    // A request for a single message would have fitted until the limit was reached.
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true)
  })
})
