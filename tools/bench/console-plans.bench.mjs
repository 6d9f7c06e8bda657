// How Postgres executes each statement of the routes that the console added, with a million messages, chat messages,
// deliveries and contacts of one organization, or with some of them in a run of all benchmarks: no statement may read a
// large table whole.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { record } from './results/report.mjs'
import { linkedNumbers, makeKey, nthOf, withService } from './support/harness.mjs'
import { startProgram } from './support/programs.mjs'

/** @import { Db } from '@msgctl/server/platform/db/db' */

/**
 * A node of a plan as Postgres explains it.
 * @typedef {{ 'Node Type': string, 'Relation Name'?: string, 'Actual Rows'?: number, 'Rows Removed by Filter'?: number,
 *   'Actual Loops'?: number, Plans?: PlanNode[] }} PlanNode
 */

/** @typedef {{ text: string, error?: string, plan: { Plan: PlanNode, 'Execution Time': number } }} RecordedPlan */

/** @typedef {{ campaignId: string, deliveryId: string, chatMessageId: string }} Examples Ids of rows, by their kind. */

const count = Number(process.env.PLAN_ROWS ?? (process.env.BENCH_BRIEF ? 100_000 : 1_000_000))
const campaigns = 100
const people = 50_000
/** To read a small table whole is right. */
const smallTable = 10_000
/**
 * The rows of each table.
 * @type {Map<string, number>}
 */
const sizes = new Map()

/**
 * SQL of an id of version 4 that belongs to a name.
 * @param {string} name
 */
const idOf = (name) => `overlay(overlay(md5(:seed || ${name}) placing '4' from 13) placing '8' from 17)::uuid`

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-plans-'))
const planFile = path.join(folder, 'plans')

try {
  await withService({ SIM_SPEED: '0', SIM_AUTOLINK: '1' }, async (harness) => {
    const { organizationId, ids } = await linkedNumbers(harness, 1, [
      'notify',
      'assistant',
      'shop',
      'developer',
      'connect',
    ])
    const containerId = nthOf(ids, 0)
    const apiKey = await makeKey(harness, organizationId)
    await harness.worker.stop()
    await fill(harness.db, { organizationId, containerId })
    const counted = await harness.db.raw(`select relname, reltuples from pg_class where relkind = 'r'`)
    for (const { relname, reltuples } of counted.rows) sizes.set(relname, reltuples)
    const examples = await findExamples(harness.db, organizationId)
    const api = await startProgram(new URL('../../packages/server/dist/main.js', import.meta.url), {
      ...harness.environment,
      PORT: '0',
      LOG_LEVEL: 'info',
      SERVICES: 'api',
      NODE_OPTIONS:
        `${process.env.NODE_OPTIONS ?? ''} ` +
        `--import=${new URL('./support/plan-recorder.mjs', import.meta.url).href}`,
      PLAN_FILE: planFile,
    })
    try {
      for (const route of routes({ containerId, ...examples })) await explain(api.address, apiKey, route)
    } finally {
      await api.stop()
    }
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @param {Examples & { containerId: string }} ids */
function routes({ containerId, campaignId, deliveryId, chatMessageId }) {
  const day = 86_400_000
  /** @param {number} days */
  const ago = (days) => new Date(Date.now() - days * day).toISOString()
  return [
    '/overview',
    '/queue?limit=8',
    `/queue?containerId=${containerId}`,
    `/stats/hours?from=${ago(30)}&to=${ago(0)}`,
    '/messages',
    `/messages?containerId=${containerId}`,
    `/messages?campaignId=${campaignId}`,
    `/messages?reminderId=${randomUUID()}`,
    '/messages?recipient=%2B14040000077',
    `/messages?errorCode=GATEWAY_ERROR`,
    `/messages?from=${ago(3)}&to=${ago(2)}`,
    `/bulk/campaigns/${campaignId}/status?recipients=none`,
    `/bulk/campaigns/${campaignId}/progress`,
    '/chats?show=to_answer',
    '/chats?show=unread',
    '/chats?show=all',
    `/chats?show=to_answer&containerId=all`,
    '/chats/+14040000000',
    `/chats/+14040000000?before=${chatMessageId}`,
    '/me/webhook/deliveries',
    '/me/webhook/deliveries?status=dropped',
    '/me/webhook/deliveries?event=message.failed',
    '/me/webhook/deliveries?event=campaign.failed',
    `/me/webhook/deliveries/${deliveryId}`,
    '/contacts/opt-outs',
    '/contacts/opt-outs?page=50',
    '/contacts/list',
    '/contacts/list?page=100',
    '/contacts/count',
    '/otp/stats?days=31',
    '/me/usage',
  ]
}

/**
 * Makes one request, and reports what its statements read.
 * @param {string} address
 * @param {string} key
 * @param {string} route
 */
async function explain(address, key, route) {
  const request = () => fetch(`${address}/api/v1${route}`, { headers: { 'x-api-key': key } })
  await (await request()).text()
  rmSync(planFile, { force: true })
  const response = await request()
  const body = await response.text()
  if (!response.ok) throw new Error(`${route} responded ${response.status}: ${body}`)
  /** @type {RecordedPlan[]} */
  const plans = existsSync(planFile)
    ? readFileSync(planFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
  const failed = plans.find(({ error }) => error)
  if (failed) throw new Error(`${route}: ${failed.error} in ${failed.text}`)
  const whole = plans.flatMap(({ plan }) => wholeReads(plan.Plan))
  const ms = plans.reduce((sum, { plan }) => sum + plan['Execution Time'], 0)
  const name = route.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, ':time')
  if (whole.length > 0) console.log(`     ${name} reads ${whole.join(', ')}`)
  record(`GET ${name}, large tables read whole`, whole.length, { unit: '', atMost: 0, digits: 0 })
  record(`GET ${name}, its ${plans.length} statements`, ms, { unit: 'ms', digits: 1 })
}

/**
 * Returns the tables with many rows of which a plan reads half or more in their order. A count that ends at its limit
 * reads less.
 * @param {PlanNode} node
 * @returns {string[]}
 */
function wholeReads(node) {
  const read = ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1)
  const isWhole = read > smallTable && read >= (sizes.get(node['Relation Name'] ?? '') ?? 0) / 2
  const own = node['Node Type'].includes('Seq Scan') && isWhole ? [`${node['Relation Name']} (${read} rows)`] : []
  return [...own, ...(node.Plans ?? []).flatMap(wholeReads)]
}

/** @param {Db} db @param {string} organizationId @returns {Promise<Examples>} */
async function findExamples(db, organizationId) {
  /** @param {string} sql */
  const first = async (sql) => (await db.raw(sql, { organizationId })).rows[0]?.id
  return {
    campaignId: await first('select id from campaigns where organization_id = :organizationId order by id limit 1'),
    deliveryId: await first('select id from webhook_deliveries where organization_id = :organizationId limit 1'),
    chatMessageId: await first(`select m.id from chat_messages m join contacts c on c.id = m.contact_id
      where m.organization_id = :organizationId and c.phone = '14040000000' order by m.at desc limit 1`),
  }
}

/** @param {Db} db @param {{ organizationId: string, containerId: string }} number */
async function fill(db, { organizationId, containerId }) {
  const values = { organizationId, containerId, count, people, campaigns, seed: randomUUID() }
  /** @param {string} what @param {string} sql */
  const run = async (what, sql) => {
    const began = performance.now()
    await db.transaction(async (trx) => {
      await trx.raw('set local statement_timeout = 0')
      await trx.raw(sql, values)
    })
    console.log(`     ${what} in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  }
  for (const table of ['messages', 'chat_messages', 'webhook_deliveries', 'events', 'contacts', 'campaign_recipients'])
    await db.raw(`alter table ${table} disable trigger user`)
  await run(
    'campaigns',
    `insert into campaigns (id, organization_id, container_id, name, template, status, total, created_at, started_at)
     select ${idOf("'c' || n")}, :organizationId, :containerId, 'Campaign ' || n, 'Hello {{name}}',
            case when n % 20 = 0 then 'paused' else 'completed' end, (:count::int / 2) / :campaigns::int,
            service_now() - n * interval '1 hour',
            service_now() - n * interval '1 hour'
       from generate_series(0, :campaigns::int - 1) n`,
  )
  await run(
    'campaign recipients',
    `insert into campaign_recipients (campaign_id, organization_id, position, phone, variables)
     select ${idOf("'c' || n % :campaigns::int")}, :organizationId, n / :campaigns::int,
            '1404' || lpad(((n / :campaigns::int) % :people::int)::text, 7, '0'), '{"name":"A"}'
       from generate_series(0, :count::int / 2 - 1) n`,
  )
  await run(
    'messages',
    `insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                             campaign_id, error, error_code,
                           network_client_id, gateway_message_id, due_at, queue_at, created_at, sent_at, failed_at)
     select ${idOf("'m' || n")}, :organizationId, :containerId,
            case when n % 2 = 0 then 'bulk' when n % 50 = 1 then 'otp'
              else 'alert' end, 'text', '1404' || lpad((case when n % 2 = 0 then (n / 2) / :campaigns::int
                  else n / 2 end % :people::int)::text, 7, '0'),
            'A text of ordinary length, as a shop would send it. ' || n, case when n % 2 = 0 then 'low'
              else 'normal' end, status,
            case when n % 2 = 0 then ${idOf("'c' || (n / 2) % :campaigns::int")} end,
            case when status = 'failed' then 'The network could not deliver the message.' end, case
              when status = 'failed' then 'GATEWAY_ERROR' end,
            n::text, n::text, at, at, at, case when status not in ('queued', 'failed') then at end, case
              when status = 'failed' then at end
       from (select n, service_now() - n * interval '10 seconds' as at,
                    case when n < 30000 then 'queued' when n % 200 = 7 then 'failed' when n % 3 = 0 then 'delivered'
                      else 'read' end as status
               from generate_series(0, :count::int - 1) n) made`,
  )
  await run(
    'contacts',
    `insert into contacts (id, organization_id, phone, network_name, known_to, opted_out, opted_at, created_at)
     select ${idOf("'p' || n")}, :organizationId, '1404' || lpad(n::text, 7, '0'), 'Person ' || n,
            array[:containerId::uuid],
            n % 20 = 3, case when n % 20 = 3 then service_now() - n * interval '1 minute' end, service_now()
       from generate_series(0, :count::int - 1) n`,
  )
  await run(
    'chat messages',
    `insert into chat_messages (id, organization_id, container_id, contact_id, direction, network_id, at, ours, type,
       text, unread)
     select ${idOf("'h' || n")}, :organizationId, :containerId, ${idOf("'p' || (n / 3) % :people::int")},
            case when n % 4 = 0 then 'out' else 'in' end, n::text, service_now() - n * interval '1 minute', false,
            'chat',
            'A question of ordinary length, as a customer would write it. ' || n, n % 4 > 0 and n % 50 = 1
       from generate_series(0, :count::int - 1) n`,
  )
  await run(
    'chats',
    `insert into chats (container_id, contact_id, organization_id, last_at, unread)
     select container_id, contact_id, :organizationId::uuid, max(at), count(*) filter (where unread)
       from chat_messages where container_id = :containerId group by 1, 2`,
  )
  await run(
    'events',
    `insert into events (id, organization_id, position, event, data, created_at)
     select ${idOf("'e' || n")}, :organizationId, n + 1,
            (array['message.sent', 'message.delivered', 'message.read', 'message.failed'])[1 + n % 4],
            '{"messageId":"x"}',
            service_now() - (:count::int - n) * interval '1 second'
       from generate_series(0, :count::int - 1) n`,
  )
  await run(
    'deliveries',
    `insert into webhook_deliveries (id, event_id, organization_id, endpoint_id, status, attempts, next_attempt_at,
       created_at, finished_at)
     select ${idOf("'d' || n")}, ${idOf("'e' || n")}, :organizationId, :containerId,
            case when n % 100 = 9 then 'dropped' when n % 500 = 3 then 'pending' else 'delivered' end, 1, at, at, at
       from (select n, service_now() - (:count::int - n) * interval '1 second' as at
           from generate_series(0, :count::int - 1) n) made`,
  )
  await run(
    'hours',
    `insert into message_hours (organization_id, hour, type, queued, sending, sent, delivered, read, failed)
     select :organizationId, date_trunc('hour', service_now()) - n * interval '1 hour', type, 0, 0, 1, 2, 3, 4
       from generate_series(0, 24 * 365) n, unnest(array['alert', 'bulk', 'otp']) type on conflict do nothing`,
  )
  await run(
    'codes',
    `insert into otp_days (organization_id, day, verified, expired, limited)
     select :organizationId, (service_now() - n * interval '1 day')::date, 1, 2, 3 from generate_series(0, 365) n
       on conflict do nothing`,
  )
  const connection = await db.client.acquireConnection()
  try {
    await connection.query('set statement_timeout = 0')
    await connection.query('vacuum analyze')
    await connection.query('reset statement_timeout')
  } finally {
    await db.client.releaseConnection(connection)
  }
}
