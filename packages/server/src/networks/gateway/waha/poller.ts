import * as z from 'zod'
import type { Inbox } from '#networks/gateway/inbox/inbox.ts'
import { startPollingLoop } from '#platform/concurrency/polling-loop.ts'
import { workOn } from '#platform/set-aside/work.ts'
import type { WahaContext } from './context.ts'
import { account } from './envelope.ts'
import { listHosts } from './host-store.ts'
import type { Host } from './hosts.ts'
import { readPasskey } from './passkey.ts'
import { claimPolls, listPlaced, type PlacedSession, writeHostSeen, writeReported } from './session-store.ts'
import { type ResponseTime, sequenceOfResponse } from './state.ts'
import { examineQuiet } from './watch/deafness.ts'
import { noteLimits } from './watch/limits.ts'

const everySeconds = 60
const idleMs = 10_000
const timeoutMs = 20_000

const sessions = z.array(
  z
    .object({
      name: z.string().max(255),
      status: z.string().max(60),
      me: account,
    })
    .nullable()
    .catch(null),
)
type Polled = NonNullable<z.infer<typeof sessions>[number]>

/**
 * Starts to ask each host once a minute for all of its sessions, and reports what differs from the webhooks: those of
 * one session can stop while it works. Any number of processes share the work. The returned function stops it.
 */
export function startPoller(ctx: WahaContext, inbox: Inbox): () => Promise<void> {
  const loop = startPollingLoop({
    name: 'asking WAHA servers for their sessions',
    log: ctx.log,
    poll: async () => {
      const claimed = await claimPolls(ctx.db, everySeconds)
      const hosts = claimed.map((id) => ({ id, organizationId: null }))
      await workOn(ctx, 'waha_hosts', hosts, {
        run: async (due) => void (await Promise.all(due.map(({ id }) => pollHost(ctx, inbox, id)))),
      })
      return claimed.length > 0
    },
    minIntervalMs: 0,
    longestIdleMs: () => idleMs,
  })
  const unsubscribe = ctx.wake.on('clock', loop.wake)
  return async () => {
    unsubscribe()
    await loop.stop()
  }
}

/** Polls one host. One that does not respond is left to the supervisor, which finds its numbers unreachable. */
async function pollHost(ctx: WahaContext, inbox: Inbox, hostId: string): Promise<void> {
  const host = await ctx.hosts.get(hostId)
  if (!host) return
  const placed = await listPlaced(ctx.db, hostId)
  try {
    const call = { method: 'GET', path: '/api/sessions?all=true', timeoutMs } as const
    const { body, ...response } = await ctx.client.call(host, call)
    await writeHostSeen(ctx.db, hostId)
    const parsed = sessions.safeParse(body)
    const found = new Map((parsed.data ?? []).flatMap((one) => (one ? [[one.name, one] as const] : [])))
    for (const session of placed) {
      const one = found.get(session.containerId)
      await correct(ctx, inbox, { host, session, found: one, response })
      const atMs = sequenceOfResponse(response) || ctx.clock.now().getTime()
      const heard = { hostId, session, account: one?.me ?? null, atMs, reported: session.limits }
      if (one?.status === 'WORKING') await noteLimits(ctx, inbox, heard)
    }
    await examineQuiet(ctx, host)
  } catch (error) {
    ctx.log.warn(
      { event: 'waha_poll_failed', err: error, host: hostId },
      'failed to read the sessions of a WAHA server',
    )
  }
}

interface Finding {
  readonly host: Host
  readonly session: PlacedSession
  readonly found: Polled | undefined
  readonly response: ResponseTime
}

/** Reports a session that is in another status than the last webhook said. One that is gone is stopped. */
async function correct(ctx: WahaContext, inbox: Inbox, { host, session, found, response }: Finding): Promise<void> {
  const { containerId, organizationId, reportedStatus } = session
  const status = found?.status ?? 'STOPPED'
  if (status === reportedStatus || (reportedStatus === null && status === 'STOPPED')) return
  const sequence = Math.max(session.sequence + 1, sequenceOfResponse(response))
  const data = (await readPasskey(ctx.client, host, { containerId, status })) ?? null
  const statuses = reportedStatus === null ? [] : [{ status: reportedStatus, timestamp: sequence }]
  // The form of a webhook, so that both are translated alike.
  const envelope = {
    id: `poll:${containerId}:${sequence}`,
    timestamp: sequence,
    event: 'session.status',
    session: containerId,
    metadata: { containerId, organizationId },
    me: found?.me ?? null,
    payload: { status, statuses, data },
  }
  const body = Buffer.from(JSON.stringify(envelope))
  await inbox.store({ host: host.id, eventId: envelope.id, containerId, organizationId, body })
  await writeReported(ctx.db, session, { status, sequence })
  ctx.log.info({ event: 'waha_state_corrected', containerId, status }, 'corrected the state of a number by a poll')
}

/** While signals of other processes arrive, and otherwise. */
const [heardMs, unheardMs] = [60_000, 10_000]
const overMs = 86_400_000

/**
 * Runs `start` as soon as a WAHA server has been added: a service without one has no reports to hand out and no server
 * to ask. The returned function ends the wait, and what was started.
 */
export function onceHosted(
  { db, wake, log }: Pick<WahaContext, 'db' | 'wake' | 'log'>,
  start: () => readonly (() => Promise<void>)[],
) {
  let ends: readonly (() => Promise<void>)[] = []
  let isStarted = false
  const loop = startPollingLoop({
    name: 'checking for WAHA servers',
    log,
    async poll() {
      if (isStarted) return overMs
      if ((await listHosts(db)).length === 0) return wake.isHeard() ? heardMs : unheardMs
      isStarted = true
      unsubscribe()
      ends = start()
      return overMs
    },
    minIntervalMs: 0,
  })
  const unsubscribe = wake.on('gateway-hosts', loop.wake)
  return async (): Promise<void> => {
    unsubscribe()
    await loop.stop()
    await Promise.all(ends.map((end) => end()))
  }
}
