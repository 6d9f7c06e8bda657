import { rows } from '#platform/db/db.ts'
import type { TestServer } from '#testing/start-server.ts'
import { takenIds } from '#testing/tested/phone.ts'

interface Standing {
  /** Lanes that are due for a dispatcher now. */
  readonly due: number
  /** Campaign messages that a worker began to hand over, and those that the network has. */
  readonly begun: number
  readonly taken: number
  readonly all: number
}

async function standing(server: Pick<TestServer, 'db' | 'address'>, organizationId: string): Promise<Standing> {
  const ids = await takenIds(server, organizationId)
  const [found] = await rows<Standing>(
    server.db,
    `select (select count(*) from lanes where organization_id = :organizationId and open
                and next_claim_at <= (select service_now())) as due,
            (select count(*) from messages where organization_id = :organizationId
                and send_started_token is not null) as begun,
            (select count(*) from messages where organization_id = :organizationId and campaign_id is not null
                and network_client_id = any(:ids)) as taken,
            cardinality(:ids::text[]) as all`,
    { organizationId, ids },
  )
  if (!found) throw new Error('a count has one row')
  return found
}

/** The worker has done what there is to do at this second: several polls in a row find nothing in progress. */
const quietPolls = 5

/**
 * Service time that stands still and passes by whole seconds, and a worker that has done what belongs to each before
 * the next. One that a busy machine holds up is a second late then, so counts of a minute need room; distances do not.
 */
export function secondsOf(server: Pick<TestServer, 'db' | 'address' | 'advance'>, organizationId: string) {
  /** Lets `seconds` pass (default: 1), and returns how many messages have arrived in total. */
  async function pass(seconds = 1): Promise<number> {
    await server.advance(seconds)
    let before = -1
    for (let quiet = 0; quiet < quietPolls; ) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      const { due, begun, taken, all } = await standing(server, organizationId)
      quiet = due === 0 && begun === taken && all === before ? quiet + 1 : 0
      before = all
    }
    return before
  }
  return {
    pass,
    /** Lets seconds pass until so many messages arrived. */
    async passUntil(count: number): Promise<void> {
      for (let seconds = 0; (await pass()) < count; seconds += 1) {
        if (seconds > 10 * count) throw new Error(`not even ${count} arrived in ${seconds} seconds`)
      }
    },
  }
}

/** The seconds between neighbours of these times, which are sorted. */
export function gapsOf(entries: readonly { readonly at: string }[]): number[] {
  const times = entries.map(({ at }) => Date.parse(at) / 1000).sort((a, b) => a - b)
  return times.slice(1).map((time, n) => time - (times[n] ?? 0))
}
