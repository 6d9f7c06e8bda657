import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { answerNext } from '#conversations/bots/conversations/answer-due.ts'
import { openAssistants } from '#conversations/bots/model/assistants.ts'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeAssistant } from '#testing/features/assistant.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer, type TestClient } from '#testing/start-server.ts'

const lines: string[] = []
const server = await startTestServer({ worker: false, env: { LOG_LEVEL: 'warn' }, onLog: (line) => lines.push(line) })
const { db, services } = server
const limit = limits.bots.questionCharacters

let made = 0
/** Returns a question of so many characters that no other one is. */
function questionOf(length: number, letter = 'x'): string {
  made += 1
  return `${String(made).padStart(8, '0')} `.padEnd(length, letter)
}

const answerOf = (questions: number, length: number) => ({
  questions: Array.from({ length: questions }, () => questionOf(length)),
  answer: 'Yes.',
})

async function makeBot(): Promise<{ client: TestClient; botId: string }> {
  const client = server.client(await makeOrganization(server))
  return { client, botId: (await client.bots.create({ name: 'Desk' })).bot.id }
}

/** An assistant with 198,000 characters in 66 answers. */
async function makeFullBot() {
  const bot = await makeBot()
  const { client, botId } = bot
  await client.bots.importAnswers({ botId, rows: Array.from({ length: 66 }, () => answerOf(10, 300)) })
  const { answers } = await client.bots.answers({ botId, limit: 1 })
  return { ...bot, answerId: answers[0]?.id ?? '' }
}

const refusal = { code: 'FORBIDDEN_ACTION', details: { reason: 'quota_reached', limit } }

describe('the questions of an assistant', () => {
  it('have room for 5,000 of usual length, and can be asked for', async () => {
    const { client, botId } = await makeBot()
    const rows = Array.from({ length: 500 }, () => answerOf(10, 40))
    expect(await client.bots.importAnswers({ botId, rows })).toMatchObject({ created: 500 })
    const question = rows[321]?.questions[3] ?? ''
    expect(await client.bots.ask({ botId, question })).toMatchObject({ sources: [{ question }, {}, {}] })
    await expect(client.bots.importAnswers({ botId, rows: [answerOf(1, 10)] })).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
    })
  })

  it('are bounded together where they are imported, added and changed', async () => {
    const empty = await makeBot()
    const tooMany = Array.from({ length: 67 }, () => answerOf(10, 300))
    await expect(empty.client.bots.importAnswers({ botId: empty.botId, rows: tooMany })).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'quota_reached', limit, requested: 201_000 },
    })
    const { client, botId, answerId } = await makeFullBot()
    await expect(client.bots.addAnswer({ botId, ...answerOf(7, 300) })).rejects.toMatchObject({
      ...refusal,
      details: { ...refusal.details, used: 198_000, requested: 2100 },
    })
    await client.bots.addAnswer({ botId, ...answerOf(6, 300) })
    const small = (await client.bots.addAnswer({ botId, ...answerOf(1, 200) })).answer.id
    const longer = { botId, answerId: small, questions: [questionOf(201)] }
    await expect(client.bots.changeAnswer(longer)).rejects.toMatchObject(refusal)
    const changed = await client.bots.changeAnswer({ botId, answerId, questions: [questionOf(300)], answer: 'No.' })
    expect(changed.answer).toMatchObject({ answer: 'No.', questions: [expect.any(String)] })
    await client.bots.changeAnswer(longer)
  })

  it('are bounded where they are learnt', async () => {
    const { organization, containerId, client, botId } = await makeAssistant(server)
    const number = { organizationId: organization.organizationId, containerId }
    const from = { kind: 'phone', digits: '14155560001' } as const
    await handleGatewayEvents(services, [arrival(number, { from, text: 'xylophone tuning' }, services.clock.now())])
    await server.advance(4)
    await answerNext(services, openAssistants(services))
    const [review] = (await client.bots.reviews({ botId })).reviews
    await client.bots.importAnswers({ botId, rows: Array.from({ length: 66 }, () => answerOf(10, 300)) })
    const { answers } = await client.bots.answers({ botId, limit: 3 })
    const stored = answers.flatMap(({ questions }) => questions).join('').length
    await client.bots.addAnswer({ botId, ...answerOf(6, 300) })
    await client.bots.addAnswer({ botId, ...answerOf(1, limit - 198_000 - 1800 - stored) })
    const resolved = { botId, reviewId: review?.id ?? '', answer: 'No.', send: false }
    await expect(client.bots.resolveReview(resolved)).rejects.toMatchObject(refusal)
    await client.bots.resolveReview({ ...resolved, learn: false })
  })

  it('are counted as they are compared where that is longer', async () => {
    const { client, botId } = await makeBot()
    // One character that is eighteen: 300 of them are 5,400.
    const rows = Array.from({ length: 4 }, () => ({
      questions: Array.from({ length: 10 }, () => questionOf(300, 'ﷺ')),
      answer: 'Yes.',
    }))
    await expect(client.bots.importAnswers({ botId, rows })).rejects.toMatchObject(refusal)
  })

  it('are bounded although many are added at once', async () => {
    const { client, botId } = await makeFullBot()
    const added = await Promise.allSettled(
      Array.from({ length: 6 }, () => client.bots.addAnswer({ botId, ...answerOf(3, 300) })),
    )
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const one of added) if (one.status === 'rejected') expect(one.reason).toMatchObject(refusal)
  })

  it('beyond the limit, from an earlier time, can be shortened and not lengthened', async () => {
    const { client, botId, answerId } = await makeFullBot()
    await rows(
      db,
      `update bot_questions set text = text || repeat('y', 300), asked = asked || repeat('y', 300)
        where bot_id = :botId`,
      { botId },
    )
    await client.bots.changeAnswer({ botId, answerId, enabled: false })
    await client.bots.changeAnswer({ botId, answerId, questions: [questionOf(300)], enabled: true })
    const longer = { botId, answerId, questions: [questionOf(300), questionOf(300)] }
    await expect(client.bots.changeAnswer(longer)).rejects.toMatchObject(refusal)
  })
})

describe('an assistant with questions beyond the limit', () => {
  it('finds the first of them, and the log says so', async () => {
    const { client, botId } = await makeFullBot()
    await rows(
      db,
      `update bot_questions set text = text || repeat('y', 300), asked = asked || repeat('y', 300)
        where bot_id = :botId`,
      { botId },
    )
    const { answers } = await client.bots.answers({ botId, limit: 100 })
    const [first, last] = [answers.at(0)?.questions[0] ?? '', answers.at(-1)?.questions[0] ?? '']
    const [found] = (await client.bots.ask({ botId, question: first })).sources
    expect(found).toMatchObject({ question: first })
    const { sources } = await client.bots.ask({ botId, question: last })
    expect(sources.map(({ question }) => question)).not.toContain(last)
    const cut = lines.flatMap((line) => (line.includes('bot_index_cut') ? [JSON.parse(line)] : []))
    expect(cut).toMatchObject([{ level: 'warn', botId, characters: 396_000 }])
  })
})
