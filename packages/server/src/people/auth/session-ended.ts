import { apiError } from '#platform/errors.ts'

/** Returns the error for a session that ended while its request was under way. */
export function sessionEnded() {
  return apiError('AUTH_ERROR', 'This session has just ended. Sign in again.', { reason: 'invalid_session' })
}
