import { type Db, rows } from '../../../packages/server/src/platform/db/db.ts'
import { callApi } from './ask.ts'
import type { Ledger } from './ledger.ts'
import type { Workload } from './work.ts'

/** A message as the service has it, and how often the network took it. */
interface Message {
  readonly id: string
  readonly type: string
  readonly recipient: string
  readonly content: string
  readonly status: string
  readonly errorCode: string | null
  readonly reached: number
}

const done = ['sent', 'delivered', 'read']

/** Returns sentences about what was lost, done twice or reported wrongly; empty when all went well. */
export async function faultsIn(host: Workload): Promise<string[]> {
  const { ledger } = host
  const { db } = host.environment
  return [
    ...ledger.complaints,
    ...(await writtenTwice(db)),
    ...judgeMessages(await allMessages(db), ledger),
    ...(await wronglyReported(db)),
    ...(await misheard(db)),
    ...(await unfinished(db, ledger)),
    ...(await unbalanced(db)),
    ...(await miscounted(host)),
    ...(await undelivered(db)),
  ]
}

function allMessages(db: Db): Promise<Message[]> {
  return rows<Message>(
    db,
    `with taken as (
       select client_id, count(*) as reached from sim_messages where direction = 'out' group by client_id
     )
     select m.id, m.type, m.recipient, m.content, m.status, m.error_code,
            coalesce(taken.reached, 0) as reached
       from messages m left join taken on taken.client_id = m.network_client_id`,
  )
}

function judgeMessages(messages: readonly Message[], { ordered, codes }: Ledger): string[] {
  const texts = messages.filter(({ type }) => type !== 'otp')
  const found = grouped(texts, ({ content, recipient }) => `${content} to ${recipient}`)
  const wanted = new Set(ordered.map(({ text, recipient }) => `${text} to ${recipient}`))
  return [
    ...ordered.flatMap((one) => {
      const what = `${one.text} to ${one.recipient}`
      const [message, ...more] = found.get(what) ?? []
      if (!message) return [`lost: ${what} was accepted and is not there`]
      if (more.length > 0) return [`twice: ${what} was queued ${more.length + 1} times`]
      if (one.messageId !== null && message.id !== one.messageId) return [`${what} was answered with another id`]
      return endOf(message, one.fails).map((fault) => `${what} ${fault}`)
    }),
    ...[...found.keys()].filter((what) => !wanted.has(what)).map((what) => `no request was made for ${what}`),
    ...judgeCodes(
      messages.filter(({ type }) => type === 'otp'),
      codes,
    ),
  ]
}

function endOf({ status, errorCode, reached }: Message, fails: boolean): string[] {
  if (reached > 1) return [`reached the phone ${reached} times`]
  if (fails) return status === 'failed' ? [] : [`is ${status}, and can only fail`]
  if (status === 'failed') return [`failed with ${errorCode}`]
  if (!done.includes(status)) return [`did not come to its end: it is ${status}`]
  return reached === 1 ? [] : [`is ${status} and never reached the phone`]
}

/** A code may fail with the process that sends it, but then it must say so, and never if it reached the phone. */
function judgeCodes(messages: readonly Message[], codes: Ledger['codes']): string[] {
  const found = grouped(messages, ({ recipient }) => recipient)
  return codes.flatMap(({ phone, requestId, verified }) => {
    const what = `the code for ${phone}`
    const [message, ...more] = found.get(phone) ?? []
    if (!message) return [`lost: ${what} was accepted and is not there`]
    if (more.length > 0) return [`twice: ${what} was made ${more.length + 1} times`]
    if (verified > 1) return [`${what} was right ${verified} times`]
    const { id, status, reached } = message
    if (reached > 1) return [`${what} reached the phone ${reached} times`]
    if (requestId !== null && requestId !== id) return [`${what} was answered with another id`]
    if (requestId !== null && reached === 0) return [`${what} was answered with success and never left`]
    const good = reached === 1 ? done.includes(status) : status === 'failed'
    return good ? [] : [`${what} is ${status} and reached the phone ${reached} times`]
  })
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}

/** Everybody is written to once, so that two messages in one chat are one too many, whatever their ids. */
async function writtenTwice(db: Db): Promise<string[]> {
  const found = await rows<{ chat: string; count: number }>(
    db,
    `select chat, count(*) as count from sim_messages where direction = 'out' group by chat having count(*) > 1`,
  )
  return found.map(({ chat, count }) => `twice: ${chat} got ${count} messages`)
}

/** Messages whose row and whose events differ: each change of state is reported once. */
async function wronglyReported(db: Db): Promise<string[]> {
  const found = await rows<{ id: string; status: string; reported: string }>(
    db,
    `with reported as (
       select m.id, m.status, m.type, count(e.*) filter (where e.event = 'message.delivered') as delivered,
              count(e.*) filter (where e.event = 'message.read'
                  and (e.data ->> 'timestamp')::timestamptz = m.read_at) as read,
              count(e.*) filter (where e.event = 'message.failed') as failed, count(e.*) as events,
              string_agg(e.event, ', ') as reported
         from messages m left join events e on e.message_id = m.id group by m.id
     )
     select id, status, coalesce(reported, 'nothing') as reported from reported
      where read <> (status = 'read')::int or (failed <> (status = 'failed')::int and not (type = 'otp' and failed = 1))
         or delivered > 1 or (status = 'delivered' and delivered <> 1) or events <> delivered + read + failed`,
  )
  return found.map(({ id, status, reported }) => `message ${id} is ${status}, and its events reported ${reported}`)
}

/** Inbound messages that were not reported exactly once. */
async function misheard(db: Db): Promise<string[]> {
  const found = await rows<{ id: string; events: number }>(
    db,
    `select s.network_id as id, count(e.*) as events from sim_messages s
       left join events e on e.event = 'message.inbound' and e.data ->> 'gatewayMessageId' = s.network_id
      where s.direction = 'in' group by 1 having count(e.*) <> 1`,
  )
  return found.map(({ id, events }) => `the inbound message ${id} was reported ${events} times`)
}

async function unfinished(db: Db, { campaigns, reminders }: Ledger): Promise<string[]> {
  const found = await rows<{ what: string }>(
    db,
    `select 'campaign ' || name || ' is ' || status as what from campaigns
      where id = any(:campaigns::uuid[]) and status <> 'completed'
     union all
     select 'the reminder for ' || phone || ' is ' || status || ' and was sent ' || send_count || ' times'
       from reminders
      where id = any(:reminders::uuid[]) and not (status = 'done' and send_count = 1)
     union all
     select 'there are ' || count(*) || ' campaigns of ' || cardinality(:campaigns::uuid[]) from campaigns
     having count(*) <> cardinality(:campaigns::uuid[])
     union all
     select 'there are ' || count(*) || ' reminders of ' || cardinality(:reminders::uuid[]) from reminders
     having count(*) <> cardinality(:reminders::uuid[])`,
    { campaigns, reminders },
  )
  return found.map(({ what }) => what)
}

/** What pauses took out of the queue and what resumes put back; by the activity log, which commits with both. */
async function unbalanced(db: Db): Promise<string[]> {
  const campaigns = await rows<{ id: string; removed: number; requeued: number; log: string }>(
    db,
    `select subject as id,
            coalesce(sum((details ->> 'jobsRemoved')::int) filter (where action = 'campaign.paused'), 0) as removed,
            coalesce(sum((details ->> 'recipients')::int) filter (where action = 'campaign.resumed'), 0) as requeued,
            string_agg(action || ' ' || details::text, ', ' order by id) as log
       from activity_log where action like 'campaign.%' group by subject`,
  )
  if (!campaigns.some(({ removed }) => removed > 0)) return ['no campaign was paused while it sent']
  return campaigns
    .filter(({ removed, requeued }) => removed !== requeued)
    .map(({ id, removed, requeued, log }) => {
      return `pauses of campaign ${id} took ${removed} messages out of the queue, resumes put ${requeued} back: ${log}`
    })
}

/** Campaigns whose own figures count a recipient as left out or failed. */
async function miscounted({ environment, ledger }: Workload): Promise<string[]> {
  const faults: string[] = []
  for (const id of ledger.campaigns) {
    const { name, stats } = await callApi(environment, `campaign ${id}`, (client) => client.campaigns.status({ id }))
    const { total, sent, failed } = stats
    if (sent !== total || failed > 0)
      faults.push(`campaign ${name} counts ${sent} sent and ${failed} failed of ${total}`)
  }
  return faults
}

async function undelivered(db: Db): Promise<string[]> {
  const found = await rows<{ status: string; count: number }>(
    db,
    `select status, count(*) as count from webhook_deliveries where status <> 'delivered' group by status`,
  )
  return found.map(({ status, count }) => `${count} events are ${status} and not delivered`)
}
