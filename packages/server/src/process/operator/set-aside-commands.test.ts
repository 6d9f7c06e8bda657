import { describe, expect, it } from 'vitest'
import { workOn } from '#platform/set-aside/work.ts'
import { insertBatch, type WorkItem, writeSetAside } from '#platform/set-aside/work-store.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { setAsideCommands } from './set-aside-commands.ts'
import type { Terminal } from './terminal.ts'

const server = await startTestServer({ worker: false })
const { db, services } = server

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
  await setAsideCommands(terminal).parseAsync(words, { from: 'user' })
  return printed
}

/** The items that a loop of this test worked on. */
async function work(kind: 'numbers' | 'mails', item: WorkItem): Promise<string[]> {
  const worked: string[] = []
  const run = async (items: readonly WorkItem[]) => void worked.push(...items.map(({ id }) => id))
  await workOn(services, kind, [item], { run })
  return worked
}

/** A process begins to work on an item and dies. */
async function die(kind: 'numbers' | 'mails', item: WorkItem): Promise<void> {
  await insertBatch(db, { id: crypto.randomUUID(), kind, items: [item] })
  await server.advance(21)
}

describe('msgctl-server set-aside', () => {
  it('lists items by kind and organization, and says what became of them', async () => {
    const { organizationId } = await makeOrganization(server)
    await writeSetAside(db, 'mails', { id: 'a mail', organizationId })
    await writeSetAside(db, 'jobs', { id: 'otp.cleanup', organizationId: null })
    expect((await run('list')).text.split('\n')).toEqual([
      expect.stringMatching(/^KIND +ITEM +ORGANIZATION +SINCE$/),
      expect.stringMatching(/^jobs +otp\.cleanup +- +2/),
      expect.stringContaining(`a mail       ${organizationId}`),
      '',
      expect.stringMatching(/^jobs +a periodic job; it is tried again each hour: repair the cause, then retry it$/),
      expect.stringMatching(/^mails +a mail to a person: it failed/),
      '',
    ])
    const ofKind = JSON.parse((await run('list', '--kind', 'mails', '--json')).text)
    expect(ofKind).toMatchObject([{ kind: 'mails', item: 'a mail', organizationId }])
    const ofOrganization = JSON.parse((await run('list', '--organization', organizationId, '--json')).text)
    expect(ofOrganization).toEqual(ofKind)
    expect((await run('dismiss', 'mails', 'a mail')).code).toBe(0)
    expect((await run('list', '--kind', 'mails')).text).toBe('Nothing was set aside.\n')
    expect(await run('dismiss', 'mails', 'a mail')).toMatchObject({
      code: 1,
      errors: 'No item of the kind mails with the id a mail was set aside.\n',
    })
  })

  it('lets a worker work on an item again, and one more death sets it aside again', async () => {
    const item = { id: crypto.randomUUID(), organizationId: null }
    for (let death = 0; death < 4; death++) await die('numbers', item)
    expect(await work('numbers', item)).toEqual([])
    expect(await work('numbers', item)).toEqual([])
    expect((await run('retry', 'numbers', item.id)).code).toBe(0)
    await die('numbers', item)
    expect(await work('numbers', item)).toEqual([])
    await run('retry', 'numbers', item.id)
    expect(await work('numbers', item)).toEqual([item.id])
    // It has survived, and begins again.
    await die('numbers', item)
    expect(await work('numbers', item)).toEqual([item.id])
    expect(await run('retry', 'numbers', item.id)).toMatchObject({ code: 1 })
  })

  it('retries nothing whose end is final', async () => {
    await writeSetAside(db, 'mails', { id: 'another mail', organizationId: null })
    expect(await run('retry', 'mails', 'another mail')).toMatchObject({
      code: 1,
      errors:
        'An item of the kind mails is not retried here: it failed, and its text was erased; repeat what it was for.\n',
    })
    await expect(run('retry', 'letters', 'x')).rejects.toThrow('left with 2')
  })
})
