import { passwordWork } from '#api/access/password.ts'
import type { TestServer } from '#testing/start-server.ts'

/** The work of a request that takes time: its statements and its password hashes. */
export interface Work {
  readonly statements: readonly string[]
  readonly hashes: number
}

/**
 * Runs `request` and returns the work that the service did for it. Equal work takes equal time; measuring the time
 * would prove less, and only by chance.
 */
export async function workOf(server: TestServer, request: () => Promise<unknown>): Promise<Work> {
  const statements: string[] = []
  let hashes = 0
  const onQuery = ({ sql }: { sql: string }) => {
    // The clock is followed and signals are sent at any time.
    if (!sql.includes('from service_clock') && !sql.includes('pg_notify')) statements.push(sql)
  }
  const onHash = () => {
    hashes += 1
  }
  server.services.db.on('query', onQuery)
  passwordWork.subscribe(onHash)
  try {
    await request().catch(() => undefined)
    return { statements, hashes }
  } finally {
    server.services.db.off('query', onQuery)
    passwordWork.unsubscribe(onHash)
  }
}
