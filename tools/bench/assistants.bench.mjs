// How fast an assistant answers from 500 stored answers, and what assistants cost an inbound message where none is
// active.
import { randomUUID } from 'node:crypto'
import { measureRounds, median, medianRatio } from './results/report.mjs'
import { receivedMessage } from './scale/arrivals.mjs'
import { emptyNetwork, linkedNumbers, nthOf, quiet, record, rewriteQueries, withService } from './support/harness.mjs'

/**
 * @import { BotFields } from '@msgctl/server/conversations/bots/bot-store'
 * @import { Harness, Numbers } from './support/harness.mjs'
 */

const answers = 500
const questionsOfAnswer = 10
const questions = 2000
const received = 3000
const batchSize = 500
const verbs = ['return', 'exchange', 'order', 'repair', 'track', 'cancel', 'gift', 'rent', 'insure', 'clean']
const places = ['Paris', 'Rome', 'Oslo', 'Cairo', 'Lima', 'Delhi', 'Quito', 'Tokyo', 'Accra', 'Hanoi']
const things = ['lamp', 'table', 'carpet', 'sofa', 'mirror']
const openings = [
  'How do I',
  'Can I',
  'May I',
  'Where do I',
  'I want to',
  'Please',
  'Could you',
  'When can I',
  'Why can I',
  'Who may',
]

let people = 0

const env = { UNSAFE_DISABLE_PACING: 'true', SIM_SPEED: '0', SIM_AUTOLINK: '1', SIM_CONTROL: '1' }

const [{ rows, transaction }, { handleGatewayEvents }, { addAnswers }, { insertBot, writeBotStatus, writeNumbers }] =
  await Promise.all([
    import('@msgctl/server/platform/db/db'),
    import('@msgctl/server/process/gateway-events'),
    import('@msgctl/server/conversations/bots/knowledge/answers'),
    import('@msgctl/server/conversations/bots/bot-store'),
  ])

await withService(
  env,
  async (harness) => {
    const made = await linkedNumbers(harness, 10, ['assistant', 'developer', 'connect'])
    await quiet(harness)
    await measureReceiving(harness, made)
    const known = await activateAssistant(harness, made)
    await answerAll(harness, made, known.slice(0, 10))
    const began = performance.now()
    await answerAll(harness, made, known)
    record(
      `questions answered by one worker, ${answers} entries with ${questionsOfAnswer} questions each`,
      known.length / ((performance.now() - began) / 1000),
      { unit: 'a second', digits: 0, atLeast: 100 },
    )
  },
  { gateway: emptyNetwork },
)

/**
 * Compares receiving with receiving without the join that finds the active assistants of the numbers.
 * @param {Harness} harness
 * @param {Numbers} made
 */
async function measureReceiving(harness, made) {
  const join = 'left join bot_numbers b on b.container_id = n.id and b.active'
  let isRemoving = false
  const rewritten = rewriteQueries((sql) =>
    isRemoving && sql.includes(join) ? sql.replace(join, '').replace('b.bot_id', 'null::uuid as bot_id') : sql,
  )
  /** @param {boolean} without */
  const measure = async (without) => {
    isRemoving = without
    const texts = Array.from({ length: received }, () => 'A question of ordinary length, as a customer would write it.')
    const began = performance.now()
    await receive(harness, made, texts)
    isRemoving = false
    return received / ((performance.now() - began) / 1000)
  }
  const found = await measureRounds({ ours: () => measure(false), without: () => measure(true) }, 7)
  if (rewritten.count() === 0) throw new Error('the statement that finds the assistants of numbers has changed')
  rewritten.end()
  record('messages received where no assistant is active', median(found.ours), { unit: 'a second', digits: 0 })
  record('time of receiving, against the same without assistants', medianRatio(found.without, found.ours), {
    unit: 'x',
    digits: 3,
    atMost: 1.1,
  })
}

/**
 * Receives texts of people who never wrote before, in batches as a driver does.
 * @param {Harness} harness
 * @param {Numbers} made
 * @param {string[]} texts
 */
async function receive({ services }, { organizationId, ids }, texts) {
  const at = services.clock.now()
  const arrivals = texts.map((text, n) => {
    people += 1
    return receivedMessage({ organizationId, containerId: nthOf(ids, n), at }, { n: people, text })
  })
  for (let from = 0; from < arrivals.length; from += batchSize) {
    await handleGatewayEvents(services, arrivals.slice(from, from + batchSize))
  }
}

/**
 * Makes an assistant that answers on all numbers, and returns questions that it knows.
 * @param {Harness} harness
 * @param {Numbers} made
 */
async function activateAssistant({ db }, { organizationId, ids }) {
  const bot = { organizationId, botId: randomUUID() }
  /** @type {Omit<BotFields, 'personWords' | 'humanPauseMinutes' | 'shop'>} */
  const fields = { name: 'Bench', languages: ['en'], texts: {}, instructions: '', hours: null, outsideHours: 'answer' }
  const given = Array.from({ length: answers }, (_, nth) => ({
    questions: Array.from({ length: questionsOfAnswer }, (_, way) => question(nth, way)),
    answer: `This is the answer to question ${nth}, in a sentence of ordinary length.`,
    lang: 'en',
    enabled: true,
  }))
  await transaction(db, async (trx) => {
    await insertBot(trx, organizationId, bot.botId, { ...fields, personWords: [], humanPauseMinutes: 60, shop: null })
    await addAnswers(trx, bot, given)
    await writeNumbers(trx, bot, ids, true)
    await writeBotStatus(trx, bot, 'active')
  })
  return Array.from({ length: questions }, (_, n) => question(n % answers, n % questionsOfAnswer))
}

/**
 * One of the ways to ask for an answer.
 * @param {number} nth
 * @param {number} way
 */
function question(nth, way) {
  const verb = verbs[nth % 10]
  const place = places[Math.floor(nth / 10) % 10]
  const thing = things[Math.floor(nth / 100)]
  return `${openings[way]} ${verb} the ${thing} from ${place}?`
}

/**
 * People ask, and the turns of all fall due together; returns when the last one is taken.
 * @param {Harness} harness
 * @param {Numbers} made
 * @param {string[]} texts
 */
async function answerAll(harness, made, texts) {
  const { services, db } = harness
  await receive(harness, made, texts)
  await services.clock.advance(4)
  services.wake.signal('clock')
  for (;;) {
    const [{ waiting }] = /** @type {[{ waiting: number }]} */ (
      await rows(db, 'select count(*) as waiting from bot_inbox')
    )
    if (Number(waiting) === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
