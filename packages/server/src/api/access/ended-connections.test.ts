import { randomBytes } from 'node:crypto'
import { limits } from '@msgctl/contract'
import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeOrganization } from '#testing/make.ts'
import { queryPlan } from '#testing/query-plan.ts'
import { startTestServer } from '#testing/start-server.ts'
import { deleteEndedConnections } from './ended-connection-store.ts'

const server = await startTestServer({ worker: false })
const { db } = server
const days = limits.mcp.connectionDays
const { organizationId, ownerId } = await makeOrganization(server)

/** Stores a connection that was made, used or ended so many days ago. */
async function connection(name: string, times: { created: number; used?: number; revoked?: number }, hasToken = false) {
  const id = crypto.randomUUID()
  const ago = (count: number | undefined) => (count === undefined ? null : count)
  await rows(
    db,
    `insert into mcp_connections (id, organization_id, user_id, client_id, client_name, scopes, created_at,
       last_used_at, revoked_at)
     select :id, :organizationId, :ownerId, 'client', :name, '{read}', now - :created::int * day,
            now - :used::int * day,
            now - :revoked::int * day
       from (select service_now() as now, interval '1 day' as day) t`,
    { id, organizationId, ownerId, name, created: times.created, used: ago(times.used), revoked: ago(times.revoked) },
  )
  if (!hasToken) return
  await rows(
    db,
    `insert into oauth_tokens (token_hash, connection_id, kind, scopes, expires_at)
     values (:hash, :id, 'refresh', '{read}', service_now() + interval '1 hour')`,
    { id, hash: randomBytes(32) },
  )
}

it('deletes connections of AI clients long after they ended or could be used last', async () => {
  await connection('ended lately', { created: 500, revoked: days - 1 })
  await connection('ended long ago', { created: 500, revoked: days + 1 })
  await connection('not used for long, without a token', { created: 500, used: days + 1 })
  await connection('not used for long, with a token', { created: 500, used: days + 1 }, true)
  await connection('made long ago and used lately', { created: 500, used: 1 })
  expect(await deleteEndedConnections(db, days)).toBe(2)
  expect(await deleteEndedConnections(db, days)).toBe(0)
  const left = await rows(db, 'select client_name as name from mcp_connections order by 1')
  expect(left.map(({ name }: { name?: string }) => name)).toEqual([
    'ended lately',
    'made long ago and used lately',
    'not used for long, with a token',
  ])
})

it('finds them by an index', async () => {
  await rows(
    db,
    `insert into mcp_connections (id, organization_id, user_id, client_id, client_name, scopes, created_at)
     select gen_random_uuid(), :organizationId, :ownerId, 'client', 'client', '{read}', service_now()
       from generate_series(1, 3000)`,
    { organizationId, ownerId },
  )
  await rows(db, 'vacuum analyze mcp_connections')
  const plan = await queryPlan(db, (explaining) => deleteEndedConnections(explaining, days))
  expect(plan).toContain('Index Scan mcp_connections')
})
