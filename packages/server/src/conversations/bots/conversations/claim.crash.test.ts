import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { eventually } from '#testing/eventually.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeAssistant, type TestAssistant } from '#testing/features/assistant.ts'
import { startTestServer } from '#testing/start-server.ts'
import { buildServer, startWorkerProcess } from '#testing/worker-process.ts'

const server = await startTestServer({ worker: false })
const { db, services } = server
await services.clock.freeze()

/** After so long, what a worker claimed that has died is due again. */
const leaseSeconds = 46

beforeAll(buildServer, 120_000)

function startWorker(crashAt?: string) {
  const worker = startWorkerProcess(server.databaseUrl, crashAt === undefined ? {} : { CRASH_AT: crashAt })
  onTestFinished(() => worker.kill())
  return worker
}

/** A customer writes to an assistant, whose turn is due at once. */
async function write({ organization, containerId }: TestAssistant, text: string) {
  const number = { organizationId: organization.organizationId, containerId }
  const from = { kind: 'phone', digits: '14155560001' } as const
  await handleGatewayEvents(services, [arrival(number, { from, text }, services.clock.now())])
  await server.advance(4)
}

/** Returns the conversation of an assistant that has one. */
async function conversationOf({ botId }: TestAssistant) {
  const [found] = await rows<{ state: string; attempts: number; isDue: boolean; waiting: number }>(
    db,
    `select c.state, c.attempts, c.due_at is not null as is_due,
            (select count(*) from bot_inbox i where i.conversation_id = c.id) as waiting
       from bot_conversations c where c.bot_id = :botId`,
    { botId },
  )
  return found
}

async function repliesOf({ organization: { organizationId } }: TestAssistant): Promise<number> {
  const [found] = await rows<{ count: number }>(
    db,
    'select count(*) from messages where organization_id = :organizationId and bot_id is not null',
    { organizationId },
  )
  return Number(found?.count)
}

describe('a question that ends the process of each worker that answers it', () => {
  it('is left to a person after three attempts, and the questions of others are answered', async () => {
    const poisoned = await makeAssistant(server)
    await write(poisoned, 'when are you open')
    for (let attempt = 1; attempt <= 3; attempt++) {
      await startWorker('bot-turn.claimed:1').ended
      expect(await conversationOf(poisoned)).toMatchObject({ state: 'assistant', attempts: attempt, waiting: 1 })
      await server.advance(leaseSeconds)
    }
    const fourth = startWorker('bot-turn.claimed:1')
    const after = { state: 'person', attempts: 0, isDue: false, waiting: 0 }
    await eventually(
      () => conversationOf(poisoned),
      (found) => found?.state === 'person',
    )
    expect(await conversationOf(poisoned)).toEqual(after)
    await fourth.kill()
    const { botId, client, events } = poisoned
    expect((await client.bots.reviews({ botId })).reviews).toMatchObject([
      { question: 'when are you open', reason: 'failed', status: 'open' },
    ])
    expect((await events()).map(({ event }) => event)).toEqual(['bot.needs_review', 'bot.handoff'])

    // Neither what this person writes from now on nor time makes it due: the fifth worker would die at a second claim.
    await write(poisoned, 'are you there?')
    const other = await makeAssistant(server)
    await write(other, 'when are you open')
    const fifth = startWorker('bot-turn.claimed:2')
    await eventually(
      () => repliesOf(other),
      (replies) => replies === 1,
    )
    await server.advance(leaseSeconds)
    expect(await conversationOf(poisoned)).toEqual(after)
    // It dies at what it claims next, which is this.
    await write(other, 'how can I pay')
    await fifth.ended
    expect(await conversationOf(other)).toMatchObject({ attempts: 1, waiting: 1 })
    expect(await conversationOf(poisoned)).toEqual(after)
    expect(await repliesOf(poisoned)).toBe(0)
  }, 120_000)

  it('does not use up the last attempt of those that the worker answers beside it', async () => {
    const assistants = await Promise.all([makeAssistant(server), makeAssistant(server), makeAssistant(server)])
    for (const assistant of assistants) await write(assistant, 'when are you open')
    const ids = assistants.map(({ botId }) => botId)
    await rows(db, 'update bot_conversations set attempts = 2 where bot_id = any(:ids::uuid[])', { ids })
    await startWorker('bot-turn.claimed:1').ended
    const attempts = await Promise.all(assistants.map(async (one) => (await conversationOf(one))?.attempts))
    expect(attempts.toSorted()).toEqual([2, 2, 3])
    await server.advance(leaseSeconds)
    startWorker()
    await eventually(
      () => Promise.all(assistants.map(repliesOf)),
      (replies) => replies.reduce((sum, one) => sum + one) === 2,
    )
    await eventually(
      () => Promise.all(assistants.map(conversationOf)),
      (found) => found.filter((one) => one?.state === 'person').length === 1,
    )
  }, 120_000)
})
