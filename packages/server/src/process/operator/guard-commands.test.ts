import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { guardCommands } from './guard-commands.ts'
import type { Terminal } from './terminal.ts'

const server = await startTestServer({ env: { GUARD: 'auto' } })

/** Runs one command and returns what it printed and its exit code. */
async function run(...words: string[]) {
  const printed = { text: '', errors: '', code: 0 }
  const terminal: Terminal = {
    env: { DATABASE_URL: server.databaseUrl, NODE_ENV: 'test' },
    readInput: async () => '',
    ask: async () => null,
    write: (text) => {
      printed.text += text
    },
    complain: (text) => {
      printed.errors += text
    },
    end: (code) => {
      printed.code = code
    },
    leave: (code) => {
      throw new Error(`left with ${code}`)
    },
  }
  await guardCommands(terminal).parseAsync(words, { from: 'user' })
  return printed
}

describe('msgctl-server guard', () => {
  it('turns the rules on for one number, and lets more leave with other limits', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    expect((await client.numbers.status()).guard).toBeNull()
    const set = await run('set', containerId, '--mode', 'on', '--conversations', '2', '--per-day', '3', '--json')
    expect(JSON.parse(set.text)).toEqual({
      containerId,
      mode: 'on',
      conversations: 2,
      perHour: null,
      perDay: 3,
      judgedAgain: 0,
    })
    const recipients = [1, 2, 3, 4, 5].map((n) => `4915500000${n}21`)
    await client.alert.batch({ recipients, message: 'cold' })
    const holds = (total: number) =>
      eventually(
        () => client.messages.stats(),
        ({ held, sent }) => held.total === total && sent === recipients.length - total,
      )
    await holds(3)
    expect((await client.numbers.status()).guard).toMatchObject({
      newConversations: { used: 2, allowed: 2 },
      lastDay: { used: 2, allowed: 3 },
    })

    const more = await run('set', containerId, '--conversations', '4', '--per-day', 'default')
    expect(more.text).toContain('Held messages that are judged again: 3')
    expect(more.text).toMatch(/New conversations\/day\s+4/)
    await holds(1)

    await run('set', containerId, '--mode', 'off')
    await holds(0)
    expect((await run('show', containerId)).text).toMatch(/Rules\s+off/)
    expect((await client.numbers.status()).guard).toBeNull()
    await run('set', containerId, '--mode', 'auto')
    const [lane] = await rows<{ guarded: boolean | null }>(
      server.db,
      'select guarded from lanes where container_id = :containerId',
      { containerId },
    )
    expect(lane?.guarded).toBeNull()
  })

  it('refuses an unknown number', async () => {
    const { code, errors } = await run('show', '0195a0c0-0000-7000-8000-000000000000')
    expect([code, errors]).toEqual([1, expect.stringContaining('There is no such number')])
  })
})
