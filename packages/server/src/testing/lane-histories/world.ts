import type { Gateway } from '@msgctl/network/gateway'
import { rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import type { ClaimedSend } from '#sending/messages/queue/attempt-send.ts'
import { leaseMs } from '#sending/messages/queue/claim.ts'
import { type OutcomeWriter, startOutcomeWriter } from '#sending/messages/queue/outcome-writer.ts'
import type { Services } from '#services.ts'

/** The organization of one history: numbers A and B stand in for each other, C is outside of their send group. */
export interface Place {
  readonly organizationId: string
  readonly numbers: readonly [a: string, b: string, c: string]
  /** The actions that ended, with their results, for the report of a fault. */
  readonly log: string[]
}

/** What a worker does with a message that it has claimed. `forgotten`: its process is gone. */
export type Fate = 'sent' | 'failed' | 'retry' | 'paused' | 'released' | 'forgotten'

interface Claim {
  readonly at: number
  readonly until: number
  readonly fate: Fate
}

/** Histories that run at once, with what their processes know. */
export class World {
  readonly services: Services
  readonly places: readonly Place[]
  /** Two worker processes. */
  readonly writers: readonly OutcomeWriter[]
  /** Messages whose caller got an answer. */
  readonly accepted = new Set<string>()
  /** Keys of requests that stored something, with their organizations. */
  readonly keys = new Set<string>()
  /** Messages whose transaction was rolled back. */
  readonly rolledBack = new Set<string>()
  readonly faults: string[] = []
  /** Whether connections are cut: what is left half done then is for the sweep. */
  anyCut = false
  readonly #claims = new Map<string, Claim>()

  constructor(services: Services, places: readonly Place[]) {
    this.services = services
    this.places = places
    this.writers = [startOutcomeWriter(services, 50), startOutcomeWriter(services, 50)]
  }

  /** Notes a claim that was committed, and hands the message to its fate. */
  claimed(message: ClaimedSend, fate: Fate, random: () => number): void {
    const until = message.leaseUntil.getTime()
    const claim: Claim = { at: until - leaseMs, until, fate }
    const other = this.#claims.get(message.id)
    const [first, second] = other && other.until > until ? [claim, other] : [other, claim]
    const mayReturn =
      first === undefined || first.fate === 'retry' || first.fate === 'paused' || first.fate === 'released'
    if (!mayReturn && second.at <= first.until) {
      this.faults.push(`message ${message.id} of ${message.organizationId} was claimed again after ${first.fate}`)
    }
    this.#claims.set(message.id, second)
    const writer = this.writers[random() < 0.5 ? 0 : 1]
    const now = this.services.clock.now()
    const outcome = outcomeOf(fate, now)
    if (outcome) writer?.add({ id: message.id, containerId: message.containerId, token: message.token, outcome })
  }

  async settle(): Promise<void> {
    for (const writer of this.writers) await writer.drain(30_000)
  }
}

function outcomeOf(fate: Fate, at: Date) {
  const attempt = { at, error: 'made up by a test' }
  switch (fate) {
    case 'sent':
      return { is: 'sent', networkId: newId(), raw: null, at, acknowledged: true } as const
    case 'failed':
      return { is: 'failed', code: 'GATEWAY_ERROR', error: 'made up by a test', at } as const
    case 'retry':
    case 'paused': {
      const dueAt = new Date(at.getTime() + 10_000)
      const isPaused = fate === 'paused'
      return { is: 'retry', attempt, dueAt, unknownSince: null, pauseLane: isPaused, keepsPlace: !isPaused } as const
    }
    case 'released':
      return { is: 'released' } as const
    case 'forgotten':
      return null
  }
}

/** The network of the histories: nothing is asked of it but to remove numbers. */
export const noNetwork = { remove: async () => undefined } as unknown as Gateway

/** Makes the organizations of histories that run at once. */
export async function makeWorld(services: Services, histories: number, random: () => number): Promise<World> {
  const places = Array.from({ length: histories }, (): Place => {
    const numbers = [newId(), newId(), newId()].sort() as [string, string, string]
    // The order of the ids is the order of the locks.
    if (random() < 0.5) numbers.reverse()
    return { organizationId: newId(), numbers, log: [] }
  })
  await rows(
    services.db,
    `with place as (
       select * from unnest(:ids::uuid[], :as::uuid[], :bs::uuid[], :cs::uuid[], :modes::text[])
                  as p(id, a, b, c, mode)
     ), organization as (
       insert into organizations (id, name, created_at) select id, 'Test', service_now() from place
     ), number as (
       select place.id as organization_id, n.id, n.nth from place
        cross join lateral unnest(array[a, b, c]) with ordinality as n(id, nth)
     ), numbers as (
       insert into numbers (id, organization_id, gateway, label, instance_name, is_default, status, status_at,
              status_since, status_reason, next_check_at, created_at, ever_linked, network_id, phone_number,
              last_linked_phone, linked_at)
       select id, organization_id, 'simulator', 'Test', id, nth = 1, 'WORKING', now, now, 'connected', null, now, true,
              id, '12025550100', '12025550100', now
         from number cross join (select service_now() as now) t
     ), lanes as (
       insert into lanes (container_id, organization_id, open) select id, organization_id, true from number
     )
     insert into send_groups (organization_id, enabled, container_ids, mode, sticky, updated_at)
     select id, true, array[a, b], mode, true, service_now() from place`,
    {
      ids: places.map(({ organizationId }) => organizationId),
      as: places.map(({ numbers }) => numbers[0]),
      bs: places.map(({ numbers }) => numbers[1]),
      cs: places.map(({ numbers }) => numbers[2]),
      modes: places.map(() => (random() < 0.5 ? 'share' : 'backup')),
    },
  )
  return new World(services, places)
}
