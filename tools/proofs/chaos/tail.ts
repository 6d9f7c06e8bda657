import { setTimeout as wait } from 'node:timers/promises'
import type { MessagingClient } from '@msgctl/client'
import type { EventKind, LoggedEvent } from '@msgctl/contract'
import { rows } from '../../../packages/server/src/platform/db/db.ts'
import { idOf } from '../../../packages/server/src/testing/features/receiver.ts'
import type { ChaosEnvironment } from './environment.ts'

/** A reader of the event log that survives every fault and continues after the last event seen. */
export interface EventTail {
  readonly seen: readonly LoggedEvent[]
  /** How often the stream broke. */
  breaks(): number
  stop(): Promise<void>
}

const pauseMs = 100

/**
 * Follows what is logged after a cursor. It needs one even in an empty log: "from now on" would be a moment that
 * differs from run to run.
 */
export function startTail(ground: ChaosEnvironment, begin: string): EventTail {
  const seen: LoggedEvent[] = []
  const abort = new AbortController()
  let breaks = 0

  async function follow(): Promise<void> {
    for (let attempt = 0; !abort.signal.aborted; attempt++) {
      const client = ground.clients[attempt % ground.clients.length] as MessagingClient
      try {
        const after = seen.at(-1)?.id ?? begin
        for await (const event of client.events.stream({ after }, { signal: abort.signal })) seen.push(event)
      } catch {
        breaks += 1
        await wait(pauseMs)
      }
    }
  }
  const following = follow()
  return {
    seen,
    breaks: () => breaks,
    async stop() {
      abort.abort()
      await following
    },
  }
}

/** The ids of all events of the organization, in the order of the log. */
export async function logOf({ db, organizationId }: ChaosEnvironment): Promise<string[]> {
  const log = await rows<{ id: string }>(
    db,
    'select id from events where organization_id = :organizationId order by position',
    { organizationId },
  )
  return log.map(({ id }) => id)
}

/** What every run has to bring about. */
const kinds = ['message.delivered', 'message.read', 'message.failed', 'message.inbound'] satisfies EventKind[]

/** What the tail and the receiver got otherwise than it stands in the log from `before` on, in sentences. */
export function faultsHeard(
  whole: readonly string[],
  before: number,
  tail: EventTail,
  { received }: ChaosEnvironment['receiver'],
): string[] {
  const log = whole.slice(before)
  const seen = tail.seen.map(({ id }) => id)
  const bodies = new Map<string, string>()
  const changed = new Set<string>()
  for (const request of received) {
    const id = idOf(request)
    if ((bodies.get(id) ?? request.body) !== request.body) changed.add(id)
    bodies.set(id, request.body)
  }
  const logged = new Set(whole)
  return [
    ...log.filter((id) => !bodies.has(id)).map((id) => `event ${id} was never delivered`),
    ...[...bodies.keys()].filter((id) => !logged.has(id)).map((id) => `delivery ${id} is of no event of the log`),
    ...[...changed].map((id) => `delivery ${id} came with two bodies`),
    ...differences(log, seen),
    ...kinds.filter((kind) => !tail.seen.some(({ event }) => event === kind)).map((kind) => `the tail saw no ${kind}`),
  ]
}

function differences(log: readonly string[], seen: readonly string[]): string[] {
  const at = log.findIndex((id, place) => seen[place] !== id)
  if (at === -1 && seen.length === log.length) return []
  const place = at === -1 ? log.length : at
  return [`the tail saw ${seen.length} events of ${log.length}, the first other one at place ${place}: ${seen[place]}`]
}
