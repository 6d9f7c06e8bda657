import { describe, expect, it } from 'vitest'
import { refusal } from '../../testing/scripted-server.ts'
import { startService } from '../../testing/service.ts'

const makeWorkspace = await startService()
const oldest = '2026-10-30T10:15:00.000Z'

/** An organization with a number whose queue is held, with 21 messages in it. */
async function withHeldQueue({ mayRead = true } = {}) {
  const workspace = await makeWorkspace()
  const { stdout } = await workspace.run('numbers list --json')
  const [demo] = JSON.parse(stdout)
  workspace.script({
    'GET /api/v1/session/list': () => ({
      body: {
        success: true,
        sessions: [{ ...demo, queueHeld: true }],
        usedSessions: 1,
        maxSessions: 3,
        canCreate: true,
      },
    }),
    'GET /api/v1/messages': ({ query }) =>
      !mayRead
        ? refusal(403, 'ACCESS_DENIED', 'Not with this key.')
        : {
            body: {
              success: true,
              page: 1,
              limit: 1,
              total: 21,
              totalPages: 21,
              messages: query.page === '21' ? [{ createdAt: oldest }] : [],
            },
          },
  })
  workspace.seen.length = 0
  return workspace
}

describe('a number whose queue is held', () => {
  it('is marked in the list, with the command that releases it', async () => {
    const { run } = await withHeldQueue()
    const { stdout, stderr } = await run('numbers list', { terminal: true, columns: 140 })
    expect(stdout).toMatch(/WORKING\S* +HELD /)
    expect(stderr).toContain('The queue of "Demo" is held. Send or discard it with: msgctl numbers release "Demo"\n')
  })

  it('is shown with the count and the age of its messages before anything is decided', async () => {
    const { run, changes } = await withHeldQueue()
    const { stderr, exitCode } = await run('numbers release Demo --utc')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('"Demo" has held messages (21 messages, the oldest of 2026-10-30 10:15:00Z).')
    expect(stderr).toContain('Select what to do with them: --send or --discard.')
    expect(changes()).toEqual([])
  })

  it('is asked about with them', async () => {
    const { run, changes } = await withHeldQueue()
    const { stderr } = await run('numbers release Demo --discard --utc', { keys: 'no\r' })
    expect(stderr).toContain('Discard the held messages (21 messages, the oldest of')
    expect(changes()).toEqual([])
  })

  it('is released without them by a key that may not read the history', async () => {
    const { run } = await withHeldQueue({ mayRead: false })
    expect((await run('numbers release Demo')).stderr).toContain('"Demo" has held messages.')
  })
})

it('a number that holds nothing is named', async () => {
  const { run } = await makeWorkspace()
  const { stderr, exitCode } = await run('numbers release Demo')
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('"Demo" holds no messages.')])
})
