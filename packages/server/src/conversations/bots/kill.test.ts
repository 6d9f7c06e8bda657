import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { eventually } from '#testing/eventually.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeAssistant } from '#testing/features/assistant.ts'
import { startModelServer } from '#testing/features/model-server.ts'
import { startTestServer } from '#testing/start-server.ts'
import { buildServer, startWorkerProcess } from '#testing/worker-process.ts'
import { answerNext } from './conversations/answer-due.ts'
import { openAssistants } from './model/assistants.ts'

/** How often a worker is killed: 200 times during 2,000 questions with `npm run proof -- questions`. */
const kills = Number(process.env.QUESTION_KILLS ?? 3)
const perKill = 10
/** After so long, what a worker claimed that was killed is due again. */
const leaseSeconds = 46

const model = await startModelServer()
const server = await startTestServer({ worker: false })
const { db, services } = server
const shop = { enabled: true, currency: 'EUR', askName: false, askAddress: false }
const assistant = await makeAssistant(server, { shop })
const { organization, client, containerId, botId } = assistant
const { organizationId } = organization
const staffPhone = '13125558888'

let people = 0

/** A person writes; the assistant's turn is due at once. */
async function write(texts: readonly { readonly phone: string; readonly text: string }[]): Promise<void> {
  const at = services.clock.now()
  await handleGatewayEvents(
    services,
    texts.map(({ phone, text }) =>
      arrival({ organizationId, containerId }, { from: { kind: 'phone', digits: phone }, text }, at),
    ),
  )
  await server.advance(4)
}

async function drain(): Promise<void> {
  const assistants = openAssistants(services)
  while (await answerNext(services, assistants));
}

/** Returns the phone of another person. Those of +1 NXX 555 may reply by themselves or get the number restricted. */
function newPhone(): string {
  people += 1
  return `1415556${String(people).padStart(4, '0')}`
}

async function counts(where = 'true') {
  const [found] = await rows<Record<string, number>>(
    db,
    `select (select count(*) from bot_turns where ${where}) as turns, (select count(*) from bot_inbox) as waiting,
            (select count(*) from messages where bot_id is not null and recipient <> :staffPhone) as replies,
            (select count(*) from messages where recipient = :staffPhone) as staff,
            (select count(*) from bot_reviews) as reviews,
            (select count(*) from events where event = 'bot.needs_review') as review_events,
            (select count(*) from bot_orders) as orders, (select count(distinct number) from bot_orders) as numbers,
            (select count(*) from events where event = 'commerce.order') as order_events,
            (select 100000 - sum(stock) from bot_products) as taken`,
    { staffPhone },
  )
  return Object.fromEntries(Object.entries(found ?? {}).map(([name, value]) => [name, Number(value)]))
}

describe('kill -9 of workers that answer', () => {
  beforeAll(buildServer, 120_000)

  it(
    'takes each turn once, and places each order once',
    async () => {
      await client.bots.addProduct({ botId, name: 'Cake', price: 4, stock: 100_000 })
      await client.bots.addOrderPhone({ botId, phone: `+${staffPhone}` })
      const buyers = Array.from({ length: kills }, newPhone)
      for (const text of ['2 cake', 'order']) {
        for (let n = 0; n < buyers.length; n += 50) {
          await write(buyers.slice(n, n + 50).map((phone) => ({ phone, text })))
          await drain()
        }
      }
      const before = await counts()
      let questions = 0
      for (let kill = 0; kill < kills; kill++) {
        const texts = Array.from({ length: perKill - 1 }, (_, n) => ({
          phone: newPhone(),
          text: n % 3 === 0 ? `xylophone tuning ${people}` : 'when are you open',
        }))
        await write([...texts, { phone: buyers[kill] ?? '', text: 'yes' }])
        questions += perKill
        const seen = (await counts()).turns ?? 0
        const worker = startWorkerProcess(server.databaseUrl)
        onTestFinished(() => worker.kill())
        await eventually(counts, ({ turns = 0 }) => turns > seen)
        await worker.kill()
        await server.advance(leaseSeconds)
      }
      const last = startWorkerProcess(server.databaseUrl)
      onTestFinished(() => last.kill())
      await eventually(counts, ({ waiting }) => waiting === 0)
      const after = await counts()
      const unknown = kills * Math.ceil((perKill - 1) / 3)
      expect({ ...after, replies: (after.replies ?? 0) - (before.replies ?? 0) }).toEqual({
        turns: (before.turns ?? 0) + questions,
        waiting: 0,
        replies: questions,
        staff: kills,
        reviews: unknown,
        reviewEvents: unknown,
        orders: kills,
        numbers: kills,
        orderEvents: kills,
        taken: 2 * kills,
      })
      const twice = await rows(db, 'select conversation_id from bot_turns group by conversation_id having count(*) > 3')
      expect(twice).toEqual([])
    },
    60_000 + kills * 20_000,
  )

  it('at each crash point answers once', async () => {
    const ai = { AI_URL: model.url, AI_MODEL: 'fake', AI_PRICE_IN: '1', AI_PRICE_OUT: '1' }
    const phones: string[] = []
    for (const [point, text] of crashes) {
      const phone = newPhone()
      phones.push(phone)
      await write([{ phone, text }])
      const dying = startWorkerProcess(server.databaseUrl, { ...ai, CRASH_AT: `${point}:1` })
      onTestFinished(() => dying.kill())
      await dying.ended
    }
    const committed = crashes.map(([point]) => (point === 'bot-turn.committed' ? 1 : 0))
    expect(await answersTo(phones)).toEqual(committed.map((count) => ({ messages: count, turns: count })))
    await server.advance(leaseSeconds)
    const heir = startWorkerProcess(server.databaseUrl, ai)
    onTestFinished(() => heir.kill())
    await eventually(
      () => answersTo(phones),
      (answers) => answers.every(({ messages }) => messages > 0),
    )
    expect(await answersTo(phones)).toEqual(phones.map(() => ({ messages: 1, turns: 1 })))
  }, 120_000)
})

const crashes = [
  ['bot-turn.claimed', 'how can I pay'],
  ['bot-turn.before-commit', 'how can I pay'],
  ['bot-turn.committed', 'how can I pay'],
  ['bot-model.asked', 'something about opening maybe'],
] as const

/** Returns how many messages each of these people received, and how many turns were taken for them. */
function answersTo(phones: readonly string[]) {
  return rows<{ messages: number; turns: number }>(
    db,
    `select (select count(*) from messages where recipient = p.phone) as messages,
            (select count(*) from bot_turns t join bot_conversations c on c.id = t.conversation_id
               join contacts k on k.id = c.contact_id where k.phone = p.phone) as turns
       from unnest(:phones::text[]) with ordinality as p(phone, place) order by place`,
    { phones },
  )
}
