// How long campaigns of 10,000 people take to create, start, pause, look at and resume, over HTTP.
import { randomUUID } from 'node:crypto'
import { linkedNumbers, load, mark, withService } from './ground.mjs'

const env = { SIM_SPEED: '0', SIM_AUTOLINK: '1', PORT: '0' }
const count = 10_000
const recipients = Array.from({ length: count }, (_, n) => ({
  phone: `49151${String(n).padStart(8, '0')}`,
  variables: { name: `person ${n}` },
}))

await withService(env, async (ground) => {
  const [{ createApp, listen }, { handlers }, { firstKey }, { rows }, { putRecipients }] = await Promise.all(
    ['app', 'handlers', 'account/key', 'db/db', 'campaigns/recipient-store'].map((name) => load(name)),
  )
  const { organizationId } = await linkedNumbers(ground, 1)
  const { apiKey } = await firstKey(ground.db, organizationId, null)
  const http = await listen(createApp(ground.services, handlers), ground.services.config)
  try {
    async function call(method, path, body) {
      const began = performance.now()
      const response = await fetch(`${http.address}/api/v1/bulk/campaigns${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer = await response.json()
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer.error)}`)
      return { answer, ms: performance.now() - began }
    }

    const bare = randomUUID()
    await rows(
      ground.db,
      `insert into campaigns (id, organization_id, name, template, status, total, created_at)
       values (:bare, :organizationId, 'Bare', 'x', 'draft', :count, service_now())`,
      { bare, organizationId, count },
    )
    const began = performance.now()
    await putRecipients(ground.db, organizationId, bare, recipients)
    const bareMs = performance.now() - began

    const created = await call('POST', '', { name: 'Bench', template: 'Hello {{name}}', recipients })
    const { id } = created.answer.campaign
    mark(`create with ${count} (bare insert ${bareMs.toFixed(0)} ms)`, created.ms, { unit: 'ms', atMost: bareMs * 10 })
    const sent = await call('POST', `/${id}/send`, {})
    mark(`start with ${count}`, sent.ms, { unit: 'ms', atMost: 10_000 })
    mark(`status with ${count}`, (await call('GET', `/${id}/status`)).ms, { unit: 'ms', atMost: 300 })
    const paused = await call('POST', `/${id}/pause`)
    if (paused.answer.jobsRemoved < count - 10) throw new Error(`${paused.answer.jobsRemoved} were removed`)
    mark(`pause with ${count}`, paused.ms, { unit: 'ms', atMost: 200 })
    const resumed = await call('POST', `/${id}/resume`, {})
    if (resumed.answer.jobsRequeued !== paused.answer.jobsRemoved) throw new Error('the counts do not add up')
    mark(`resume with ${count}`, resumed.ms, { unit: 'ms', atMost: 10_000 })
  } finally {
    await http.stop()
  }
})
