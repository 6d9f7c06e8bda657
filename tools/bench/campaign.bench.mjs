// How long campaigns of 10,000 people take to create, start, pause, read and resume, over HTTP, and how long the list
// of 200 campaigns that were sent takes. CAMPAIGN_HISTORY is the number of messages of each (default: 1,000).
import { randomUUID } from 'node:crypto'
import { measureRounds, median, medianRatio } from './results/report.mjs'
import { linkedNumbers, makeKey, record, withService } from './support/harness.mjs'

/** @typedef {{ name: string, stats: { read: number } }} Campaign */

/**
 * What the API responds with; each route responds with some of it.
 * @typedef {object} Answer
 * @property {unknown} error
 * @property {{ id: string }} campaign
 * @property {Campaign[]} campaigns
 * @property {number} jobsRemoved
 * @property {number} jobsRequeued
 */

const env = { SIM_SPEED: '0', SIM_AUTOLINK: '1', PORT: '0' }
const count = 10_000
const recipients = Array.from({ length: count }, (_, n) => ({
  phone: `49151${String(n).padStart(8, '0')}`,
  variables: { name: `person ${n}` },
}))

/**
 * One takes some tenths of a second and varies by a fifth. The first are slower, until V8 has compiled what reads the
 * recipients.
 */
const rounds = 21
const warmUps = 6
const campaigns = 200
const history = Number(process.env.CAMPAIGN_HISTORY ?? 1000)

await withService(env, async (harness) => {
  const [{ createApp, listen }, { handlers }, { rows }, { putRecipients }, { rollUpCampaignCounts }] =
    await Promise.all([
      import('@msgctl/server/process/app'),
      import('@msgctl/server/process/handlers'),
      import('@msgctl/server/platform/db/db'),
      import('@msgctl/server/sending/campaigns/recipient-store'),
      import('@msgctl/server/sending/campaigns/count-store'),
    ])
  const { organizationId } = await linkedNumbers(harness, 1)
  const apiKey = await makeKey(harness, organizationId)
  const http = await listen(createApp(harness.services, handlers), harness.services.config)
  try {
    /** @param {string} method @param {string} path @param {object} [body] */
    async function call(method, path, body) {
      const began = performance.now()
      const response = await fetch(`${http.address}/api/v1/bulk/campaigns${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer = /** @type {Answer} */ (await response.json())
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer.error)}`)
      return { answer, ms: performance.now() - began }
    }

    /** Stores the recipients of a campaign, and nothing else. Returns the milliseconds. */
    async function insertBare() {
      const bare = randomUUID()
      await rows(
        harness.db,
        `insert into campaigns (id, organization_id, name, template, status, total, created_at)
         values (:bare, :organizationId, 'Bare', 'x', 'draft', :count, service_now())`,
        { bare, organizationId, count },
      )
      const began = performance.now()
      await putRecipients(harness.db, organizationId, bare, recipients)
      return { id: bare, ms: performance.now() - began }
    }

    async function create() {
      const { answer, ms } = await call('POST', '', { name: 'Bench', template: 'Hello {{name}}', recipients })
      return { id: answer.campaign.id, ms }
    }

    /**
     * An organization keeps few drafts, so each is deleted. Vacuumed here, because autovacuum would do it during some
     * of the rounds.
     * @param {() => Promise<{ id: string, ms: number }>} work
     */
    async function deletedAfter(work) {
      const { id, ms } = await work()
      await rows(harness.db, 'delete from campaigns where id = :id', { id })
      await harness.db.raw('vacuum campaigns, campaign_recipients')
      return ms
    }

    const contestants = { ours: () => deletedAfter(create), bare: () => deletedAfter(insertBare) }
    const found = await measureRounds(contestants, rounds, { warmUps })
    const { id } = await create()
    const bareMs = median(found.bare).toFixed(0)
    record(`create with ${count}`, median(found.ours), { unit: 'ms', digits: 0 })
    record(`create with ${count}, against a bare insert with ${bareMs} ms`, medianRatio(found.ours, found.bare), {
      unit: 'x',
      digits: 3,
      atMost: 10,
    })
    const sent = await call('POST', `/${id}/send`, {})
    record(`start with ${count}`, sent.ms, { unit: 'ms', atMost: 10_000 })
    // The fastest of three says what it costs; the others say what else the machine did.
    const reads = []
    for (let n = 0; n < 3; n += 1) reads.push((await call('GET', `/${id}/status`)).ms)
    record(`status with ${count}`, Math.min(...reads), { unit: 'ms', atMost: 300 })
    const pauses = []
    const resumes = []
    for (let n = 0; n < 3; n += 1) {
      const paused = await call('POST', `/${id}/pause`)
      const removed = paused.answer.jobsRemoved
      if (removed < count - 100) throw new Error(`${removed} were removed`)
      const resumed = await call('POST', `/${id}/resume`, {})
      if (resumed.answer.jobsRequeued !== removed) throw new Error('the counts do not add up')
      pauses.push(paused.ms)
      resumes.push(resumed.ms)
    }
    record(`pause with ${count}`, Math.min(...pauses), { unit: 'ms', atMost: 200 })
    record(`resume with ${count}`, Math.min(...resumes), { unit: 'ms', atMost: 10_000 })

    // A campaign at a time, each by one statement and each with changes that are not folded yet.
    for (let n = 0; n < campaigns; n += 1) {
      await rows(
        harness.db,
        `with made as (
           insert into campaigns (id, organization_id, name, template, status, total, created_at)
           values (gen_random_uuid(), :organizationId, 'Past', 'x', 'completed', :history, service_now()) returning id
         )
         insert into messages (id, organization_id, type, kind, recipient, content, priority, status, campaign_id,
                               network_client_id, due_at, queue_at, created_at)
         select gen_random_uuid(), :organizationId, 'bulk', 'text', n::text, 'x', 'normal', 'read', made.id,
                gen_random_uuid()::text, t.now, t.now, t.now
           from made, generate_series(1, :history) n, (select service_now() as now) t`,
        { organizationId, history },
      )
    }
    const each = `${campaigns} campaigns of ${history}`
    const before = await call('GET', '')
    record(`list of ${each}, nothing folded`, before.ms, { unit: 'ms', atMost: 100 })
    while ((await rollUpCampaignCounts(harness.db, 10_000)) > 0);
    const after = await call('GET', '')
    record(`list of ${each}`, after.ms, { unit: 'ms', atMost: 100 })
    /** @param {Campaign} campaign */
    const right = ({ name, stats }) => name !== 'Past' || stats.read === history
    if (!before.answer.campaigns.every(right) || !after.answer.campaigns.every(right)) throw new Error('wrong counts')
  } finally {
    await http.stop()
  }
})
