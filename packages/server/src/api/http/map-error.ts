import { ApiError, apiError, SendError } from '#platform/errors.ts'
import type { Log } from '#platform/log/log-events.ts'
import { mapDatabaseError } from './map-database-error.ts'
import { ContractViolation } from './response.ts'

/** Where something was thrown. */
export interface ErrorContext {
  readonly log: Log
  readonly requestId: string
  readonly endpoint?: string | undefined
  /** True when nothing can have been changed yet, so that the request may be tried again. */
  readonly harmless: boolean
}

/**
 * The error to answer for anything that was thrown. An {@link ApiError} was thrown on purpose and stays; everything
 * else is logged with its cause, and answered as the fault of the database that it is, or as INTERNAL_ERROR that says
 * nothing.
 */
export function toApiError(thrown: unknown, { log, requestId, endpoint, harmless }: ErrorContext): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof SendError) {
    const { send, cause } = thrown
    const fault = toApiError(cause, { log, requestId, endpoint, harmless: send.outcome === 'not_sent' })
    return withSend(fault, send)
  }
  const error = known(thrown, harmless) ?? apiError('INTERNAL_ERROR', 'Something went wrong on our side.')
  log.error({ event: 'request_failed', err: thrown, requestId, route: endpoint, code: error.code }, 'request failed')
  return error
}

/** A fault of ours with what became of the send. A busy service promises that nothing went out. */
function withSend(fault: ApiError, send: SendError['send']): ApiError {
  if (send.outcome === 'unknown') {
    return apiError(
      'INTERNAL_ERROR',
      'Whether the message went out could not be stored. Look it up before sending.',
      send,
    )
  }
  if (fault.code !== 'SERVICE_BUSY' && fault.code !== 'INTERNAL_ERROR') return fault
  return new ApiError(fault.code, fault.message, { ...fault.details, ...send })
}

function known(thrown: unknown, harmless: boolean): ApiError | undefined {
  // Reached in tests only: in production a breach is logged and the answer goes out.
  if (thrown instanceof ContractViolation) return apiError('INTERNAL_ERROR', thrown.message)
  return mapDatabaseError(thrown, harmless)
}
