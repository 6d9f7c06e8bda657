import { type Db, rows } from '#platform/db/db.ts'
import { directNetworkOf } from './direct/test-gateway.ts'
import { eventually } from './eventually.ts'

interface DueWork {
  readonly events: number
  readonly reports: number
  readonly links: number
  readonly lanes: number
  readonly sends: number
  readonly deliveries: number
  readonly imports: number
  readonly mails: number
  readonly conversations: number
  readonly voiceNotes: number
}

/**
 * Waits until the worker and the simulated network have done everything that is due at the present service time. With
 * the clock frozen, the state of the service then depends on the requests and the moves of the clock alone.
 */
export async function settled(db: Db): Promise<void> {
  const network = await directNetworkOf(db)
  if (network) await network.settle(() => workDone(db))
  else await workDone(db)
}

async function workDone(db: Db): Promise<void> {
  await eventually(
    () =>
      rows<DueWork>(
        db,
        `with time as materialized (select service_now() as now)
         select (select count(*) from sim_events where waits_for is null and due_at <= now) as events,
                (select count(*) from gateway_inbox where set_aside_at is null and due_at <= now) as reports,
                (select count(*) from sim_sessions where step_at <= now and not host_down) as links,
                (select count(*) from lanes where open and next_claim_at <= now) as lanes,
                (select count(*) from messages where status = 'sending' and outcome_unknown_since is null) as sends,
                (select count(*) from webhook_deliveries where status = 'pending'
                    and next_attempt_at <= now) as deliveries,
                (select count(*) from history_imports where requested_at is not null and due_at <= now) as imports,
                (select count(*) from mails where due_at <= now) + (select count(*) from reset_requests) as mails,
                (select count(*) from bot_conversations where due_at <= now) as conversations,
                (select count(*) from bot_voice_notes where due_at <= now) as voice_notes
           from time`,
      ),
    ([due]) => due !== undefined && Object.values(due).every((count) => Number(count) === 0),
  )
}
