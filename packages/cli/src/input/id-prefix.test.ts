import { describe, expect, it } from 'vitest'
import { startService } from '../testing/service.ts'

const makeWorkspace = await startService()
const bot = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'

describe('what is no id', () => {
  it.each([
    'reminders show x',
    'reminders edit x --text hi',
    'reminders cancel x',
    'reminders delete x --yes',
    'messages show x',
    'messages cancel x',
    'messages edit x hi',
    'messages forward x +12025550100',
    'messages delete x --yes',
    'chats ack x',
    'chats download x',
    'events replay x',
    'webhook replay x',
    'webhook delivery x',
    'webhook endpoints set x --url https://example.com',
    'webhook endpoints remove x --yes',
    'auth end x --yes',
    'team resend x',
    'team cancel x',
    'mcp approve x --yes',
    'mcp deny x',
    'mcp revoke x --yes',
    'otp verify x 123456',
    'sim receipt x read',
    ['bots', 'answers', 'remove', bot, 'x'].join(' '),
    `bots products edit ${bot} x --price 1`,
    `bots products remove ${bot} x`,
    `bots reviews resolve ${bot} x --dismiss`,
    `bots conversations show ${bot} x`,
    `bots conversations take-over ${bot} x`,
    `bots conversations give-back ${bot} x`,
  ])('is refused in the words of the command line, before any request: %s', async (line) => {
    const { run, seen, writeProjectFile } = await makeWorkspace()
    writeProjectFile()
    const { stderr, exitCode } = await run(line)
    expect(stderr).toMatch(/^Error: x is not an id\.\nWhat to do: .*msgctl .*\n\(INVALID_ID\)\n$/)
    expect(exitCode).toBe(2)
    expect(seen).toEqual([])
  })

  it('is less than eight characters of one', async () => {
    const { run } = await makeWorkspace()
    expect((await run('reminders show 0190c1d')).stderr).toContain('at least its first 8 characters')
  })
})

describe('what belongs to an assistant', () => {
  it('is found by the beginning of its id, as tables show it', async () => {
    const { run } = await makeWorkspace()
    await run('bots create Desk')
    const added = await run(['bots', 'answers', 'add', 'Desk', 'We open at 9.', '--question', 'Open?', '--json'])
    const { id } = JSON.parse(added.stdout) as { id: string }
    const removed = await run(['bots', 'answers', 'remove', 'Desk', id.slice(0, 13), '--json'])
    expect(JSON.parse(removed.stdout)).toEqual({ id, deleted: true })
  })
})
