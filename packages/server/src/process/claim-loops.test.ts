import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { setAsideKinds, type WorkKind } from '#platform/set-aside/kinds.ts'
import { testDatabase } from '#testing/database.ts'

/** A kind whose items are set aside, or the reason why nothing is. */
type Claim = WorkKind | { readonly reason: string }

const job: Claim = 'jobs'
const request = { reason: 'in the request of a caller, never in a worker' }
const byTheQueue = { reason: 'the lane is locked for the claim of its messages, which are set aside' }
const network = { reason: 'the state of the simulated network itself, of fixed size' }

const pretended = { reason: 'the state of the simulated payment provider itself' }

const readsStreams = { reason: 'reads for event streams of an API process; claims nothing' }

/** Every polling loop, by file and in its order: what it claims. */
const loops: Readonly<Record<string, readonly Claim[]>> = {
  'conversations/bots/conversations/worker-loop.ts': ['conversations'],
  'events/stream-hub.ts': [readsStreams],
  'networks/gateway/inbox/hand-out.ts': ['reports'],
  'networks/gateway/waha/poller.ts': ['waha_hosts', { reason: 'waits until there is a server; claims nothing' }],
  'sending/messages/queue/dispatch.ts': ['messages'],
  'numbers/connection/supervisor.ts': ['numbers'],
  'networks/simulator/events/deliver-events.ts': ['simulated_events'],
  'events/webhook/delivery/deliver.ts': ['deliveries'],
}

const renews = { reason: 'renews what the process has; works on no item' }

/** Every timer that repeats. */
const timers: Readonly<Record<string, readonly Claim[]>> = {
  'platform/db/clock.ts': [{ reason: 'reads the clock of the service' }],
  'events/stream-hub.ts': [renews],
  'sending/messages/queue/held-messages.ts': [{ reason: 'reads which numbers went down' }],
  'process/job-runner.ts': [renews],
  'platform/set-aside/work.ts': [renews],
}

/** Every `skip locked` of the sources, by file and in its order: what is claimed there. */
const claims: Readonly<Record<string, readonly Claim[]>> = {
  'api/access/credential-store.ts': [request],
  'people/auth/reset-request-store.ts': ['reset_links'],
  'billing/payments/simulator/event-store.ts': [pretended],
  'conversations/bots/conversations/due-store.ts': ['conversations'],
  'conversations/bots/inbox/voice-note-store.ts': ['voice_notes'],
  'sending/campaigns/count-store.ts': [job],
  'sending/campaigns/scheduled-store.ts': ['campaign_starts'],
  'conversations/chats/roll-up-store.ts': [job],
  'conversations/contacts/import-task-store.ts': ['imports'],
  'networks/gateway/inbox/store.ts': ['reports', 'reports'],
  'networks/gateway/waha/session-store.ts': ['waha_hosts'],
  'networks/gateway/waha/watch/watch-store.ts': ['waha_hosts'],
  'platform/mail/store.ts': ['mails'],
  'ai-clients/mcp/approvals/action-store.ts': ['ai_actions'],
  'numbers/guard/guard-store.ts': [byTheQueue],
  'sending/messages/history/counter-store.ts': [job],
  'sending/messages/history/text-store.ts': [job],
  'numbers/lanes/queued-store.ts': [job],
  'sending/messages/queue/campaign-store.ts': [request, 'campaign_starts'],
  'sending/messages/queue/enqueue-store.ts': [request],
  'sending/messages/queue/queue-store.ts': [byTheQueue, 'messages', 'messages', 'messages'],
  'sending/messages/queue/sweep-store.ts': ['messages', 'messages', job],
  'numbers/connection/supervisor-store.ts': ['numbers'],
  'numbers/unused-store.ts': [job],
  'sending/reminders/due-store.ts': ['reminders'],
  'networks/simulator/events/store.ts': ['simulated_events', network, network],
  'networks/simulator/history/store.ts': [network],
  'networks/simulator/sessions/store.ts': [network],
  'events/webhook/delivery/delivery-store.ts': ['deliveries'],
}

/** Every table with a column that says when, or until when, a process has it. */
const tables: Readonly<Record<string, Claim>> = {
  agenda_jobs: job,
  billing_accounts: 'accounts',
  bot_conversations: 'conversations',
  bot_voice_notes: 'voice_notes',
  campaigns: 'campaign_starts',
  gateway_inbox: 'reports',
  gateway_sessions: { reason: 'claimed by gateway hosts, which are programs of their own' },
  history_imports: 'imports',
  lanes: byTheQueue,
  mails: 'mails',
  mcp_actions: 'ai_actions',
  messages: 'messages',
  numbers: 'numbers',
  reminders: 'reminders',
  sim_events: 'simulated_events',
  sim_pay_customers: pretended,
  sim_pay_events: pretended,
  sim_sessions: network,
  waha_hosts: 'waha_hosts',
  webhook_deliveries: 'deliveries',
  work_batches: { reason: 'says what is in work' },
}
const leaseColumns = [
  'lease_until',
  'lease_token',
  'due_at',
  'carried_out_by',
  'locked_at',
  'next_check_at',
  'next_claim_at',
  'next_attempt_at',
  'polled_at',
  'step_at',
  'start_tried_at',
]

const folder = path.join(import.meta.dirname, '..')
const sources = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(name))
    .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')] as const),
)

/** Returns how often each file contains something. */
function filesWith(pattern: RegExp): Record<string, number> {
  const counts = [...sources].map(([name, text]) => [name, [...text.matchAll(pattern)].length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

function countsOf(listed: Readonly<Record<string, readonly Claim[]>>): Record<string, number> {
  return Object.fromEntries(Object.entries(listed).map(([file, all]) => [file, all.length]))
}

describe('each loop that claims', () => {
  it('is known, with what it sets aside', () => {
    expect(filesWith(/(?<!function )\bstartPollingLoop\(/g)).toEqual(countsOf(loops))
  })

  it('is known where a timer repeats', () => {
    expect(filesWith(/\bsetInterval\(/g)).toEqual(countsOf(timers))
  })

  it('is known by its statements, each with what it claims', () => {
    expect(filesWith(/\bskip\s+locked\b|\.skipLocked\(/gi)).toEqual(countsOf(claims))
  })

  it('is known by its tables', async () => {
    const { db } = await testDatabase()
    const found = await rows<{ name: string }>(
      db,
      `select distinct table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = any(:leaseColumns::text[]) order by 1`,
      { leaseColumns },
    )
    expect(found.map(({ name }) => name)).toEqual(Object.keys(tables).sort())
  })

  it('works on its items through the guard', () => {
    const guarded = /\b(?:workOn|orderedWork|atWork)\((?:\w+, )?'(\w+)'/g
    const used = new Set([...sources.values()].flatMap((text) => [...text.matchAll(guarded)].map(([, kind]) => kind)))
    // The loop of conversations counts its attempts by itself.
    expect([...used.add('conversations')].sort()).toEqual(Object.keys(setAsideKinds).sort())
  })
})
