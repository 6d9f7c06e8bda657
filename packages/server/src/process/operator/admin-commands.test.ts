import { describe, expect, it } from 'vitest'
import { turnOn } from '#testing/features/authenticator.ts'
import { makePerson } from '#testing/features/person.ts'
import { startTestServer } from '#testing/start-server.ts'
import { adminCommands } from './admin-commands.ts'
import type { Terminal } from './terminal.ts'

const server = await startTestServer({ worker: false })

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
  await adminCommands(terminal).parseAsync(words, { from: 'user' })
  return printed
}

describe('msgctl-server admin', () => {
  it('names the staff, who reach the administration with two steps, and ends that', async () => {
    expect((await run('list')).text).toMatch(/^No organization administers the platform/)
    const { client, organizationId, email } = await makePerson(server)
    await turnOn(client)
    await expect(client.platform.billing()).rejects.toMatchObject({ code: 'ADMIN_ONLY' })
    expect((await run('add', organizationId)).text).toMatch(/^Ada Engines administers the platform/)
    await client.platform.billing()
    expect((await run('list')).text).toMatch(new RegExp(`^ID .*\n${organizationId}  Ada Engines  ${email}  on\n$`))
    expect(JSON.parse((await run('list', '--json')).text)).toMatchObject([{ organizationId, name: 'Ada Engines' }])
    expect((await run('remove', organizationId)).text).toMatch(/does not administer/)
    await expect(client.platform.billing()).rejects.toMatchObject({ code: 'ADMIN_ONLY' })
  })

  it('refuses what changes nothing, and an organization that is not there', async () => {
    const { organizationId } = await makePerson(server)
    await run('add', organizationId)
    expect(await run('add', organizationId)).toMatchObject({ code: 1, errors: expect.stringContaining('already one') })
    const nowhere = await run('add', '0195a0c0-0000-7000-8000-000000000000')
    expect(nowhere).toMatchObject({ code: 1, errors: expect.stringContaining('There is no organization') })
  })
})
