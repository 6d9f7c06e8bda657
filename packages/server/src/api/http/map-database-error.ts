import { type ApiError, apiError } from '#platform/errors.ts'

/** Seconds after which a caller may retry while the database is unavailable. */
const awaySeconds = 2

/** SQLSTATEs, and codes of the socket, that say the statement never ran or was rolled back. */
const nothingDone = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '08001',
  '08004',
  // A stand-by, or a database that is set read-only: pools end the connection, see platform/db/db.ts.
  '25006',
  '25P03',
  '40001',
  '40P01',
  '53100',
  '53200',
  '53300',
  '53400',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
])
// `timeout expired` is how pg reports a new connection that the database did not accept in time.
// Knex writes the statement in front of the message: no transaction begins with a BEGIN that has no response.
const noConnection =
  /timeout expired|timeout exceeded when trying to connect|timeout acquiring a connection|^begin;? - /i

const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', '08003', '08006'])
// `query read timeout` is how pg reports a statement without a response, whose connection is broken, see
// platform/db/session.ts; the rollback of its transaction then finds the client closed.
const broken =
  /connection (?:terminated|ended)|client (?:has encountered a connection error|was closed)|query read timeout/i

/**
 * The answer to a fault of the database, or undefined when it is none of the known ones. Features judge the conflicts
 * that they expect; this is the net below them.
 *
 * SERVICE_BUSY promises that nothing was done. A connection that broke in the middle may have broken during the commit,
 * so unless the request was `harmless` that is INTERNAL_ERROR, whose outcome callers take as unknown.
 */
export function mapDatabaseError(thrown: unknown, harmless: boolean): ApiError | undefined {
  if (!(thrown instanceof Error)) return undefined
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
  if (nothingDone.has(code) || noConnection.test(thrown.message)) return busy()
  if (brokenCodes.has(code) || broken.test(thrown.message)) return harmless ? busy() : unknownOutcome()
  return violation(code)
}

function violation(code: string): ApiError | undefined {
  switch (code) {
    case '23505':
      return apiError('CONFLICT', 'Something like it is there already.', { reason: 'already_exists' })
    case '23503':
      return apiError('REFERENCE_ERROR', 'Something that this refers to does not exist.')
    case '23514':
      return apiError('CONSTRAINT_VIOLATION', 'The data breaks a rule of the service.')
    default:
      return undefined
  }
}

/** Returns the error of a request that changed nothing, because the service is busy for a moment. */
export function busy(): ApiError {
  return apiError('SERVICE_BUSY', `The service is busy. Try again in ${awaySeconds} s.`, {
    retryAfterSeconds: awaySeconds,
  })
}

function unknownOutcome(): ApiError {
  return apiError('INTERNAL_ERROR', 'The database went away; whether the change was made is not known.')
}
