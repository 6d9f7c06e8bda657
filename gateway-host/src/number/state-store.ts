import type { SessionReason } from '@msgctl/contract'
import type { SessionState } from '@msgctl/network/gateway'
import type { Pool } from 'pg'

/** The state of a number as its host reports it. */
export interface ReportedState {
  readonly status: SessionState['status']
  readonly reason: SessionReason | null
  readonly retry: Date | 'never' | null
  readonly code: number | null
  readonly me: SessionState['me']
}

/** The number that a state belongs to, under its lease. */
export interface StateOwner {
  readonly containerId: string
  readonly epoch: string
}

/**
 * Stores a state with the next sequence, and its event. Returns false when the number is stopped or another process
 * owns it: then nothing is stored.
 */
export async function storeState(pool: Pool, owner: StateOwner, state: ReportedState): Promise<boolean> {
  const retry = state.retry instanceof Date ? state.retry.toISOString() : state.retry
  const { rowCount } = await pool.query(
    `with moved as (
       update gateway_sessions set status = $3, reason = $4, retry = $5, me = $6, code = $7, sequence = sequence + 1,
              state_at = gateway_clock(), linked_at = case when $6::jsonb is null then null
                else coalesce(linked_at, gateway_clock()) end
        where container_id = $1 and epoch = $2 and wanted = 'running'
       returning *
     )
     insert into gateway_inbox (driver, host, event_id, container_id, organization_id, body)
     select 'direct', 'any', container_id || '/state/' || sequence, container_id, organization_id,
            convert_to(jsonb_build_object(
              'kind', 'session.state', 'at', state_at,
              'state', jsonb_strip_nulls(jsonb_build_object('status', status, 'reason', reason, 'retry', retry,
                    'code', code, 'sequence', sequence))
                       || jsonb_build_object('me', me))::text, 'UTF8')
       from moved`,
    [
      owner.containerId,
      owner.epoch,
      state.status,
      state.reason,
      retry,
      state.me && JSON.stringify(state.me),
      state.code,
    ],
  )
  return rowCount === 1
}

/** Stores that a request of the server is done. A later one of another kind stays. */
export async function finishRequest(pool: Pool, owner: StateOwner, request: string): Promise<void> {
  await pool.query(
    'update gateway_sessions set request = null where container_id = $1 and epoch = $2 and request = $3',
    [owner.containerId, owner.epoch, request],
  )
}
