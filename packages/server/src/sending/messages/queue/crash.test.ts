import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim, type TranscriptEntry } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { buildServer, startWorkerProcess } from '#testing/worker-process.ts'
import { leaseMs } from './claim.ts'
import { enqueueTexts } from './enqueue.ts'

const total = 500
const api = await startTestServer({ worker: false })

async function reachedPhones(): Promise<{ sent: number; people: number }> {
  const { messages } = await sim<{ messages: TranscriptEntry[] }>(api, 'GET transcript?limit=1000')
  return { sent: messages.length, people: new Set(messages.map(({ clientId }) => clientId)).size }
}

async function statuses(): Promise<Record<string, number>> {
  const found = await rows<{ status: string; count: number }>(
    api.db,
    'select status, count(*) as count from messages group by status',
  )
  return Object.fromEntries(found.map(({ status, count }) => [status, count]))
}

describe('kill -9 of a worker', () => {
  beforeAll(buildServer, 120_000)

  it('in the middle of 500 queued messages loses none and sends none twice', async () => {
    const organization = await makeOrganization(api)
    const numbers: string[] = []
    for (let n = 0; n < 20; n += 1) numbers.push(await makeNumber(api, organization))
    const texts = Array.from({ length: total }, (_, n) => ({
      organizationId: organization.organizationId,
      containerId: numbers[n % numbers.length] ?? '',
      pinned: false,
      type: 'alert' as const,
      recipient: `1202556${String(n).padStart(4, '0')}`,
      text: `message ${n}`,
      priority: 'normal' as const,
      clientReference: null,
    }))
    await api.db.transaction((trx) => enqueueTexts(trx, api.services.clock, texts))

    // A paced worker claims eight seconds ahead, so it dies with messages sent, claimed and queued.
    const first = startWorkerProcess(api.databaseUrl, { UNSAFE_DISABLE_PACING: 'false', SIM_SPEED: '1' })
    onTestFinished(() => first.kill())
    await eventually(reachedPhones, ({ sent }) => sent > 50)
    await first.kill()
    expect((await reachedPhones()).sent).toBeLessThan(total)
    expect(await statuses()).toMatchObject({ queued: expect.any(Number), sending: expect.any(Number) })

    const second = startWorkerProcess(api.databaseUrl, { SIM_SPEED: '0' })
    onTestFinished(() => second.kill())
    await api.advance(leaseMs / 1000 + 1)
    await eventually(statuses, (seen) => !seen.queued && !seen.sending)
    expect(await reachedPhones()).toEqual({ sent: total, people: total })
    const seen = await statuses()
    expect((seen.sent ?? 0) + (seen.delivered ?? 0) + (seen.read ?? 0)).toBe(total)
    expect(await second.stop()).toBe(0)
  }, 180_000)
})
