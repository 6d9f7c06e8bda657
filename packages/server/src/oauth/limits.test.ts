import { describe, expect, it } from 'vitest'
import { rows } from '../db/db.ts'
import { startTestServer } from '../testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { baseUrl } = server

describe('the limits of the specification', () => {
  it.each([
    [
      'register',
      60,
      () =>
        fetch(`${baseUrl}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }),
    ],
    ['authorize', 60, () => fetch(`${baseUrl}/oauth/authorize`, { redirect: 'manual' })],
    [
      'revoke',
      60,
      () => fetch(`${baseUrl}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token: 'x' }) }),
    ],
    [
      'token',
      120,
      () =>
        fetch(`${baseUrl}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({ client_id: 'x', grant_type: 'y' }),
        }),
    ],
  ])('%s takes %i requests', async (_name, allowed, request) => {
    await rows(server.db, 'delete from attempt_windows')
    const statuses = await Promise.all(Array.from({ length: allowed + 2 }, async () => (await request()).status))
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })
})
