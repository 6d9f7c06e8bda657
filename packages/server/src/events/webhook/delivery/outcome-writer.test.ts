import knex from 'knex'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Db } from '#platform/db/db.ts'
import type { DeliveryOutcome } from './delivery-store.ts'
import { startOutcomeWriter } from './outcome-writer.ts'

const log = pino({ level: 'silent' })
const unconnected = knex({ client: 'pg' })

function outcome(id: string): DeliveryOutcome {
  const none = { nextAttemptAt: null, finishedAt: null, lastStatus: null, lastError: null, attempt: null }
  return { id, organizationId: 'o', leaseToken: 't', status: 'delivered', ...none }
}

/** A database that takes `answer` for each statement, and the ids that each statement was to write. */
function database(answer: (statement: number) => Promise<void>) {
  const statements: string[][] = []
  const client = {
    raw: (...statement: never[]) => unconnected.client.raw(...statement),
    acquireConnection: async () => undefined,
    releaseConnection: async () => undefined,
    async query(_connection: undefined, { bindings: [ids] }: { bindings: string[][] }) {
      statements.push(ids ?? [])
      await answer(statements.length)
      return { response: { rows: [] } }
    },
  }
  const db = { userParams: {}, client }
  return { db: db as unknown as Db, statements }
}

describe('writing outcomes', () => {
  it('collects what comes while a write runs into the next one', async () => {
    const { db, statements } = database(async () => undefined)
    const writer = startOutcomeWriter({ db, log })
    await Promise.all(['a', 'b', 'c'].map((id) => writer.write(outcome(id))))
    expect(statements).toEqual([['a'], ['b', 'c']])
  })

  it('writes again, with nothing lost, when the database was away', async () => {
    const { db, statements } = database(async (statement) => {
      if (statement === 1) throw new Error('away')
    })
    const writer = startOutcomeWriter({ db, log })
    await Promise.all(['a', 'b'].map((id) => writer.write(outcome(id))))
    expect(statements).toEqual([['a'], ['a', 'b']])
  })

  it('gives up when it has to stop and the database stays away', async () => {
    const { db, statements } = database(async () => {
      throw new Error('away')
    })
    const writer = startOutcomeWriter({ db, log })
    writer.stop()
    await Promise.all(['a', 'b'].map((id) => writer.write(outcome(id))))
    expect(statements).toEqual([['a']])
  })
})
