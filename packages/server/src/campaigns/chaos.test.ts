import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '../db/db.ts'
import { leaseMs } from '../messages/claim.ts'
import { seededRandom } from '../messages/test-lane.ts'
import { makeNumber, makeOrganization, makeToken } from '../test/make.ts'
import { startTestServer } from '../test/start-server.ts'
import { buildServer, startWorkerProcess, type WorkerProcess } from '../test/worker-process.ts'
import { people } from './test-people.ts'

/** `npm run chaos` runs the full size. */
const full = process.env.CHAOS === 'full'
const size = full ? { people: 2000, disturbances: 100 } : { people: 40, disturbances: 6 }
const numbers = 8
const random = seededRandom(Number(process.env.CHAOS_SEED ?? 1))
const api = await startTestServer({ worker: false })

interface Reached {
  /** Messages that the network took, and how many different people they went to. */
  readonly total: number
  readonly people: number
}

async function reached(): Promise<Reached> {
  const [counted] = await rows<Reached>(
    api.db,
    `select count(*) as total, count(distinct chat) as people from sim_messages where direction = 'out'`,
  )
  return counted ?? { total: 0, people: 0 }
}

const patienceMs = 400
const lookEveryMs = 20

/** Lets some seconds of service time pass and the workers use them: a campaign sends one message in each at most. */
async function seconds(count: number): Promise<Reached> {
  const before = await reached()
  await api.advance(count)
  for (const until = performance.now() + patienceMs; ; ) {
    const now = await reached()
    if (now.total >= before.total + count || performance.now() > until) return now
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

async function secondsUntil(total: number): Promise<void> {
  for (let looks = 0; (await seconds(2)).total < total; looks += 1) {
    if (looks > 5 * size.people) throw new Error(`no more than ${(await reached()).total} of ${total} went out`)
  }
}

async function preparedCampaign() {
  const organization = await makeOrganization(api)
  const ids: string[] = []
  for (let n = 0; n < numbers; n += 1) ids.push(await makeNumber(api, organization))
  const owner = api.client({ token: await makeToken(api, organization) })
  await owner.numbers.setSendGroup({ enabled: true, containerIds: ids, mode: 'share' })
  const client = api.client(organization)
  const recipients = people(size.people)
  const { campaign } = await client.campaigns.create({ name: 'Chaos', template: 'hi {{name}}', recipients })
  return { client, id: campaign.id, recipients }
}

describe(`a campaign of ${size.people} people, disturbed ${size.disturbances} times by pause, resume or kill -9`, () => {
  beforeAll(buildServer, 120_000)

  it('reaches each of them exactly once, and what left the queue and came back adds up', async () => {
    const { client, id, recipients } = await preparedCampaign()
    const began = performance.now()
    const start = () => startWorkerProcess(api.databaseUrl, { PACING: 'on', SIM_SPEED: '0' })
    const workers: WorkerProcess[] = [start(), start()]
    onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.kill()))))
    await client.campaigns.send({ id })

    let paused = false
    const did = { pauses: 0, resumes: 0, kills: 0 }
    const jobs = { removed: 0, requeued: 0 }
    async function pauseOrResume(): Promise<void> {
      if (paused) {
        jobs.requeued += (await client.campaigns.resume({ id })).jobsRequeued
        did.resumes += 1
      } else {
        jobs.removed += (await client.campaigns.pause({ id })).jobsRemoved
        did.pauses += 1
      }
      paused = !paused
    }
    async function kill(): Promise<void> {
      const victim = Math.floor(random() * workers.length)
      await workers[victim]?.kill()
      workers[victim] = start()
      did.kills += 1
      // What it held is free again at once, sometimes after the campaign was paused or resumed meanwhile.
      if (random() < 0.5) await pauseOrResume()
      await api.advance(leaseMs / 1000 + 1)
    }
    for (let n = 0; n < size.disturbances; n += 1) {
      if (paused) await seconds(1 + Math.floor(random() * 4))
      else await secondsUntil((size.people * (n + random())) / (size.disturbances + 1))
      if (random() < 0.4) await kill()
      else await pauseOrResume()
    }
    if (paused) await pauseOrResume()
    expect(jobs.requeued).toBe(jobs.removed)
    expect(jobs.removed).toBeGreaterThan(0)

    await secondsUntil(size.people)
    for (;;) {
      const { status } = await client.campaigns.status({ id })
      if (status === 'completed') break
      await seconds(4)
    }
    expect(await reached()).toEqual({ total: size.people, people: size.people })
    const sentTo = await rows<{ phone: string }>(
      api.db,
      `select regexp_replace(chat, '\\D', '', 'g') as phone from sim_messages where direction = 'out' order by 1`,
    )
    expect(sentTo.map(({ phone }) => phone)).toEqual(recipients.map(({ phone }) => phone).sort())
    const { stats } = await client.campaigns.status({ id })
    expect(stats).toMatchObject({ total: size.people, sent: size.people, failed: 0 })
    if (full) console.log({ seconds: Math.round((performance.now() - began) / 1000), ...did, ...jobs, ...stats })
  }, 1_800_000)
})
