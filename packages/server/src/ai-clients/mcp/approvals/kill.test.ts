import { setTimeout } from 'node:timers/promises'
import { AdminClient } from '@msgctl/client/admin'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handlers } from '#process/handlers.ts'
import { type ApiProcess, startApiProcess } from '#testing/api-process.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { connectAi } from '#testing/mcp/ai-client.ts'
import { startTestServer } from '#testing/start-server.ts'
import { buildServer } from '#testing/worker-process.ts'
import { finishActions } from './approve.ts'

/** MCP_KILLS=200 (`npm run proof -- mcp-kill`) is the whole proof. */
const kills = Number(process.env.MCP_KILLS ?? 2)
const longestDelayMs = 60

await buildServer()
const secrets = newSecretsKeys()
const env = { SECRETS_KEYS: secrets, UNSAFE_DISABLE_RATE_LIMIT: 'true' }
const server = await startTestServer({ worker: false, env })
const { db, services, databaseUrl, address } = server
const organization = await makeOrganization(server)
await makeNumber(server, organization)
const ai = await connectAi(address, { key: organization.apiKey })
const token = await makeToken(server, organization)

async function waitingAction(n: number): Promise<string> {
  await rows(db, 'delete from mcp_sends')
  const args = { phone: `+1303557${1000 + n}`, message: `message ${n}`, idempotencyKey: `kill-${n}` }
  return (await ai.call('send_message', args)).structuredContent.approval.actionId
}

const randomDelay = () => setTimeout(Math.random() * longestDelayMs)

/**
 * Approves in both processes, while the first is killed. The first has served a request before and begins, so that it
 * often decides. Returns which of them responded that it approved.
 */
async function approveAndKill(victim: ApiProcess, survivor: ApiProcess, actionId: string): Promise<string> {
  const [first, second] = [victim, survivor].map(
    ({ baseUrl }) => new AdminClient({ baseUrl, token, maxRetries: 0 }).mcp,
  ) as [AdminClient['mcp'], AdminClient['mcp']]
  await first.action({ actionId })
  const approving = Promise.allSettled([
    first.approve({ actionId }),
    randomDelay().then(() => second.approve({ actionId })),
  ])
  await randomDelay()
  await victim.kill()
  const [killed, living] = await approving
  if (killed.status === 'fulfilled') return 'killed after its response'
  if (living.status === 'fulfilled') return 'killed before it decided'
  return 'killed after it decided, before its response'
}

it(`carries out each action at most once, and its state says so, over ${kills} kills`, {
  timeout: 3_600_000,
}, async () => {
  const survivor = await startApiProcess(databaseUrl, env)
  const states = new Map<string, number>()
  const moments = new Map<string, number>()
  for (let n = 0; n < kills; n++) {
    const victim = await startApiProcess(databaseUrl, env)
    const actionId = await waitingAction(n)
    const moment = await approveAndKill(victim, survivor, actionId)
    moments.set(moment, (moments.get(moment) ?? 0) + 1)
    // What the job of a worker does, once the minute of the dead process is over.
    await rows(db, `update mcp_actions set carried_out_by = service_now() - interval '1 s' where state = 'approved'`)
    await finishActions(services, async () => handlers)
    const [found] = await rows<{ state: string; sent: number }>(
      db,
      `select state, (select count(*) from messages where content = :content) as sent from mcp_actions
        where id = :actionId`,
      { actionId, content: `message ${n}` },
    )
    const { state = 'none', sent = -1 } = found ?? {}
    states.set(state, (states.get(state) ?? 0) + 1)
    expect([state, sent]).toEqual([state, state === 'done' ? 1 : 0])
    expect(['done', 'pending']).toContain(state)
  }
  await survivor.stop()
  const figures = { ...Object.fromEntries(states), ...Object.fromEntries(moments) }
  process.stdout.write(`${kills} kills: ${JSON.stringify(figures)}\n`)
})
