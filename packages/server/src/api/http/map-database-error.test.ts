import { describe, expect, it } from 'vitest'
import { mapDatabaseError } from './map-database-error.ts'

function fault(code: string | undefined, message = 'x'): Error {
  return Object.assign(new Error(message), { code })
}

describe('a fault of the database', () => {
  it.each([
    ['refuses connections', fault('ECONNREFUSED'), 'SERVICE_BUSY', 'SERVICE_BUSY'],
    ['has no connection left', fault('53300'), 'SERVICE_BUSY', 'SERVICE_BUSY'],
    ['has no room on its disk', fault('53100'), 'SERVICE_BUSY', 'SERVICE_BUSY'],
    ['is starting', fault('57P03'), 'SERVICE_BUSY', 'SERVICE_BUSY'],
    ['ended our session', fault('57P01'), 'SERVICE_BUSY', 'SERVICE_BUSY'],
    ['gave up a statement that took too long', fault('57014'), 'SERVICE_BUSY', 'SERVICE_BUSY'],
    ['found a deadlock every time', fault('40P01'), 'SERVICE_BUSY', 'SERVICE_BUSY'],
    [
      'left no connection of the pool',
      fault(undefined, 'Knex: Timeout acquiring a connection. The pool is probably full.'),
      'SERVICE_BUSY',
      'SERVICE_BUSY',
    ],
    ['did not accept the connection in time', fault(undefined, 'timeout expired'), 'SERVICE_BUSY', 'SERVICE_BUSY'],
    ['is read-only', fault('25006'), 'SERVICE_BUSY', 'SERVICE_BUSY'],
    ['broke off', fault(undefined, 'Connection terminated unexpectedly'), 'SERVICE_BUSY', 'INTERNAL_ERROR'],
    ['left a statement without a response', fault(undefined, 'Query read timeout'), 'SERVICE_BUSY', 'INTERNAL_ERROR'],
    [
      'left the begin of a transaction without a response',
      fault(undefined, 'BEGIN; - Query read timeout'),
      'SERVICE_BUSY',
      'SERVICE_BUSY',
    ],
    ['reset the connection', fault('ECONNRESET'), 'SERVICE_BUSY', 'INTERNAL_ERROR'],
    ['found a duplicate', fault('23505'), 'CONFLICT', 'CONFLICT'],
    ['misses a reference', fault('23503'), 'REFERENCE_ERROR', 'REFERENCE_ERROR'],
    ['refused a value', fault('23514'), 'CONSTRAINT_VIOLATION', 'CONSTRAINT_VIOLATION'],
    ['did not understand us', fault('42601'), undefined, undefined],
    // What comes from outside is judged at the edge; a value that gets as far as this is a mistake of ours, and shows
    // as one.
    ['cannot read a time', fault('22007'), undefined, undefined],
    ['knows no such time', fault('22008'), undefined, undefined],
  ])('that %s is answered by what may have been done', (_what, thrown, whenReading, whenChanging) => {
    expect(mapDatabaseError(thrown, true)?.code).toBe(whenReading)
    expect(mapDatabaseError(thrown, false)?.code).toBe(whenChanging)
  })

  it('never quotes the database', () => {
    expect(mapDatabaseError(fault('23505', 'Key (email)=(a@b.c) exists'), true)?.message).not.toContain('a@b.c')
  })

  it('is nothing that was thrown by others', () => {
    expect(mapDatabaseError('ECONNREFUSED', true)).toBeUndefined()
  })
})
