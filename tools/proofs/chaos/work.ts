import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { MessagingClient } from '@msgctl/client'
import { rows } from '../../../packages/server/src/platform/db/db.ts'
import { type Random, randomOf } from '../fuzz/random.ts'
import { callApi, insistently, operate, refusalCode } from './ask.ts'
import { sendCode } from './codes.ts'
import type { ChaosEnvironment } from './environment.ts'
import type { Ledger } from './ledger.ts'
import type { Size } from './plan.ts'

/** The service, and what was asked of it so far. */
export interface Workload {
  readonly environment: ChaosEnvironment
  readonly ledger: Ledger
  readonly seed: number
}

/** One round of work. */
interface Step extends Workload {
  readonly round: number
  readonly random: Random
}

/** Of the single texts the first goes to one of these, which fail, time out or reply in their own ways. */
const specials = ['0110', '0111', '0112', '0121', '0122', '0123', '0124', '0130'] as const
const failing: readonly string[] = ['0110', '0111']
/** Texts are sent and people write for so long in each round, while the faults come. */
const spreadMs = 900
const repeatedShare = 0.2

/** Requests every kind of send at once; resolves when each request has its response. */
export async function work(host: Workload, round: number, size: Size): Promise<void> {
  const { ledger, environment } = host
  const turn: Step = { ...host, round, random: randomOf(host.seed, round + 1) }
  // The outcome of a code whose process died is known ten minutes later, so the round does not wait for it.
  for (let n = 0; n < size.codes; n++) ledger.later(sendCode({ environment, ledger }, `code ${round}.${n}`))
  await Promise.all([
    sendBatch(turn, size.batch),
    ...each(size.singles, (n) => sendSingle(turn, n)),
    ...each(size.reminders, (n) => planReminder(turn, n)),
    ...each(size.inbound, (n) => write(turn, n)),
    runCampaign(turn, size.campaign),
    scheduleCampaign(turn),
  ])
}

function each<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n))
}

/** Waits for a part of the time during which the faults come. */
function sometime({ random }: Step): Promise<void> {
  return wait(random.below(spreadMs))
}

/** Repeats a request with a key until it gets a response, and sometimes once more: both responses must be equal. */
async function callOnce<T>(
  turn: Step,
  key: string,
  call: (client: MessagingClient, options: { readonly idempotencyKey: string }) => Promise<T>,
): Promise<T> {
  const options = { idempotencyKey: `${key}:${turn.round}` }
  const repeats = turn.random.chance(repeatedShare)
  const keyed = () =>
    callApi(turn.environment, `the request ${options.idempotencyKey}`, (client) => call(client, options))
  const response = await keyed()
  if (repeats && !isDeepStrictEqual(await keyed(), response)) {
    turn.ledger.complaints.push(`the request ${options.idempotencyKey} got another response when it was repeated`)
  }
  return response
}

async function sendBatch(turn: Step, count: number): Promise<void> {
  const { ledger, round } = turn
  const text = `batch ${round}`
  const recipients = each(count, () => ledger.person())
  await sometime(turn)
  const { messages } = await callOnce(turn, 'batch', (client, options) =>
    client.alert.batch({ recipients: recipients.map((digits) => `+${digits}`), message: text }, options),
  )
  const ids = new Map(messages.map(({ phone, messageId }) => [phone, messageId]))
  for (const recipient of recipients) {
    ledger.ordered.push({ text, recipient, messageId: ids.get(recipient) ?? 'no message', fails: false })
  }
}

async function sendSingle(turn: Step, n: number): Promise<void> {
  const { ledger, random, round } = turn
  const special = specials[round % specials.length] as string
  const fails = n === 0 && failing.includes(special)
  const recipient = n === 0 ? ledger.special(special) : ledger.person()
  const text = `text ${round}.${n}`
  const priority = random.pick(['normal', 'normal', 'high', 'low'] as const)
  await sometime(turn)
  const { messageId } = await callOnce(turn, `text.${n}`, (client, options) =>
    client.alert.send({ phone: `+${recipient}`, message: text, priority }, options),
  )
  ledger.ordered.push({ text, recipient, messageId, fails })
}

/** A time to come soon, as the service counts it. */
async function inSomeSeconds({ db }: ChaosEnvironment, random: Random): Promise<string> {
  const read = () => rows<{ now: Date }>(db, 'select service_now() as now')
  const [clock] = await insistently('reading the time', read)
  return new Date((clock?.now.getTime() ?? 0) + (10 + random.below(60)) * 1000).toISOString()
}

async function planReminder(turn: Step, n: number): Promise<void> {
  const { ledger, random, round, environment } = turn
  const recipient = ledger.person()
  const text = `reminder ${round}.${n}`
  await sometime(turn)
  const sendAt = await inSomeSeconds(environment, random)
  const { reminder } = await callOnce(turn, `reminder.${n}`, (client, options) =>
    client.reminders.create({ phone: `+${recipient}`, message: text, sendAt }, options),
  )
  ledger.reminders.push(reminder.id)
  ledger.ordered.push({ text, recipient, messageId: null, fails: false })
}

async function write(turn: Step, n: number): Promise<void> {
  const { environment, ledger, random, round } = turn
  const containerId = random.pick(environment.numbers)
  const from = `+${ledger.person()}`
  await sometime(turn)
  await operate(environment, 'POST inbound', { containerId, from, text: `hello ${round}.${n}` })
}

async function runCampaign(turn: Step, count: number): Promise<void> {
  const { ledger, round } = turn
  await sometime(turn)
  const id = await createCampaign(turn, 'campaign', count)
  await callOnce(turn, 'campaign.send', (client, options) => client.campaigns.send({ id }, options))
  await sometime(turn)
  const paused = await inState(() =>
    callApi(turn.environment, `the pause of campaign ${round}`, (client) => client.campaigns.pause({ id })),
  )
  await sometime(turn)
  // Without an answer to the pause it may have been made all the same, or the campaign is at its end.
  const resume = () => callOnce(turn, 'campaign.resume', (client, options) => client.campaigns.resume({ id }, options))
  if (paused) await resume()
  else await inState(resume)
  ledger.campaigns.push(id)
}

async function scheduleCampaign(turn: Step): Promise<void> {
  const { ledger, environment, random } = turn
  await sometime(turn)
  const scheduledAt = await inSomeSeconds(environment, random)
  ledger.campaigns.push(await createCampaign(turn, 'scheduled', 2, scheduledAt))
}

/** Returns the campaign's id, once its texts are ordered. */
async function createCampaign(turn: Step, name: string, count: number, scheduledAt?: string): Promise<string> {
  const { ledger, round } = turn
  const people = each(count, (n) => ({ recipient: ledger.person(), name: `person ${n}` }))
  const recipients = people.map((one) => ({ phone: `+${one.recipient}`, variables: { name: one.name } }))
  const template = `${name} ${round} for {{name}}`
  const { campaign } = await callOnce(turn, name, (client, options) =>
    client.campaigns.create({ name, template, recipients, ...(scheduledAt ? { scheduledAt } : {}) }, options),
  )
  for (const one of people) {
    const text = `${name} ${round} for ${one.name}`
    ledger.ordered.push({ text, recipient: one.recipient, messageId: null, fails: false })
  }
  return campaign.id
}

/** The answer, or null where the state of the campaign forbids it. */
async function inState<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    if (refusalCode(error) === 'CAMPAIGN_INVALID_STATE') return null
    throw error
  }
}
