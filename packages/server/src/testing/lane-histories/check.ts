import { sweepWaiting } from '#numbers/send-group/failover.ts'
import { rows } from '#platform/db/db.ts'
import { nextLaneAt } from '#sending/messages/queue/queue-store.ts'
import { reapMessages } from '#sending/messages/queue/sweep.ts'
import { findInconsistentLanes } from '#sending/messages/queue/sweep-store.ts'
import type { Services } from '#services.ts'
import { claimFromOpen, freeAll } from './actions.ts'
import type { World } from './world.ts'

interface StoredMessage {
  readonly id: string
  readonly organizationId: string
  readonly status: string
  /** Whether it may leave through another number: it is not pinned, and the network does not have it. */
  readonly movable: boolean
  readonly isDue: boolean
  /** Whether it waits on a closed lane, or for a guard rule. */
  readonly waits: boolean
  /** Whether its lane is read when it is due, or the gate of the lane opens. */
  readonly inTime: boolean
  /** Null: there is no lane. */
  readonly open: boolean | null
  /** Whether the process that held it last was lost. */
  readonly wasLost: boolean
  /** Whether a number of the send group works. */
  readonly groupWorks: boolean
}

async function storedMessages({ services, places }: World): Promise<StoredMessage[]> {
  return rows<StoredMessage>(
    services.db,
    `select m.id, m.organization_id, m.status, l.open,
            not m.pinned and m.outcome_unknown_since is null as movable, m.due_at <= service_now() as is_due,
            m.status = 'queued' and (l.open is not true or m.guard_rule is not null) as waits,
            m.lost_processes > 0 as was_lost,
            l.next_claim_at <= greatest(m.due_at, service_now(),
              case when m.priority <> 'high' then l.next_send_at end) as in_time,
            exists (
              select from send_groups g join lanes other on other.container_id = any(g.container_ids)
               where g.organization_id = m.organization_id and other.open) as group_works
       from messages m left join lanes l using (container_id)
      where m.organization_id = any(:ids::uuid[])`,
    { ids: places.map(({ organizationId }) => organizationId) },
  )
}

/** Checks histories that have ended: nothing is lost, and everything that waits will be read in time. */
export async function checkEnded(world: World): Promise<void> {
  const { faults } = world
  await world.settle()
  const stored = new Map((await storedMessages(world)).map((message) => [message.id, message]))
  for (const id of world.accepted) if (!stored.has(id)) faults.push(`message ${id} was accepted and is lost`)
  for (const id of world.rolledBack) if (stored.has(id)) faults.push(`message ${id} was rolled back and is stored`)
  for (const message of stored.values()) {
    if (message.status !== 'queued') continue
    const where = `message ${message.id} of ${message.organizationId}`
    if (message.open !== null && !message.inTime) faults.push(`${where} waits, and its lane is not read in time`)
    // What lost processes leave is found by the sweep. What may not move ends with its number.
    if (world.anyCut || message.wasLost || !message.movable) continue
    if (message.open === null) faults.push(`${where} is left on a number that was removed`)
    if (message.open === false && message.groupWorks) faults.push(`${where} is left on a closed lane`)
  }
  const inconsistent = await findInconsistentLanes(world.services.db)
  if (inconsistent.length > 0) faults.push(`the sweep would repair the lanes ${inconsistent.join()}`)
}

/** Lets all numbers work, and checks that claims then find everything that is due, each message once. */
export async function checkDrained(world: World): Promise<void> {
  const { services, places, faults } = world
  const waiting = new Set((await storedMessages(world)).flatMap((one) => (one.waits ? one.organizationId : [])))
  await Promise.all(places.filter((one) => waiting.has(one.organizationId)).map((place) => freeAll(world, place)))
  await sweepWaiting(services)
  for (const seconds of [0, 3700]) {
    if (seconds > 0) await services.clock.advance(seconds)
    await reapMessages(services)
    // Of messages that were lost with several processes, a claim takes one.
    for (let idle = 0; await isAnyDue(services); idle += 1) {
      if (idle > 20) return void faults.push('a lane stays due although nothing leaves it')
      for (const message of await claimFromOpen(world, services)) {
        world.claimed(message, 'sent', () => 0)
        idle = 0
      }
    }
    await world.settle()
  }
  for (const { status, open, isDue, id, organizationId } of await storedMessages(world)) {
    const waits = status === 'queued' && open && isDue
    if (waits) faults.push(`message ${id} of ${organizationId} is due, and no claim finds it`)
  }
}

async function isAnyDue({ db, clock }: Services): Promise<boolean> {
  const next = await nextLaneAt(db)
  return next !== null && next <= clock.now()
}

/** Empties the tables, so that the next histories meet small ones. */
export async function forget({ services }: World): Promise<void> {
  await services.db.raw('truncate organizations, messages, lanes, trial_usage cascade')
}
