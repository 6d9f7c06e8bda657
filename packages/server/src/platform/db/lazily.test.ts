import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertCall } from '#ai-clients/mcp/call-store.ts'
import { byCredential, byEmail } from '#api/access/limit-key.ts'
import { passChange } from '#api/access/rate-limit-store.ts'
import { incrementAttempts, incrementLazily } from '#people/auth/attempt-store.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { connect, rows } from './db.ts'

const server = await startTestServer({ worker: false })
const { organizationId } = await makeOrganization(server)
// The test cluster never waits for the disk; these connections do, as in production.
const db = connect(`${server.databaseUrl}?options=-c%20synchronous_commit%3Don`, { poolMax: 2 })
afterAll(() => db.destroy())

const call = {
  organizationId,
  connectionId: null,
  credential: 'account',
  tool: 'list_numbers',
  outcome: 'ok',
  code: null,
  ms: 1,
  phone: null,
} as const

/** Returns whether the transaction that wrote last waited for the disk: a trigger reads the setting at its commit. */
async function waited(write: () => Promise<unknown>): Promise<boolean> {
  await db.raw('truncate seen_commits')
  await write()
  const [seen] = await rows<{ waits: string }>(db, 'select waits from seen_commits')
  return seen?.waits === 'on'
}

beforeAll(async () => {
  await db.raw(`create table seen_commits (waits text);
    create function see_commit() returns trigger language plpgsql as $$
    begin insert into seen_commits values (current_setting('synchronous_commit')); return null; end $$;`)
  for (const table of ['attempt_windows', 'mcp_calls', 'change_limits']) {
    await db.raw(`create constraint trigger see_commit after insert or update on ${table}
      deferrable initially deferred for each row execute function see_commit()`)
  }
})

describe('a lazy statement', () => {
  it.each([
    [
      'the requests of an AI client',
      () => incrementLazily(db, byCredential('calls of an AI client', { organizationId, credential: 'account' }), 60),
    ],
    ['the calls of an AI client', () => insertCall(db, call)],
    ['the changes of an organization', () => passChange(db, organizationId, { perWindow: 300, windowMs: 60_000 })],
  ])('does not wait for the disk: %s', async (_what, write) => {
    expect(await waited(write)).toBe(false)
    expect(await waited(() => incrementAttempts(db, byEmail('wrong passwords', 'ada@example.com'), 60))).toBe(true)
  })
})
