import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { sessionOf } from '#testing/session-of.ts'
import { startTestServer } from '#testing/start-server.ts'
import { runCommand } from './command.ts'
import { organizationCommands } from './commands.ts'
import type { Terminal } from './terminal.ts'

const server = await startTestServer({ worker: false })
const unknown = '0195a0c0-0000-7000-8000-000000000000'

/** Thrown where a process would end. */
class Left extends Error {}

/** Runs a command against the running service, and returns what its user would see. */
async function type(...words: string[]): Promise<{ out: string; err: string; exitCode: number }> {
  const seen = { out: '', err: '', exitCode: 0 }
  const terminal: Terminal = {
    env: { DATABASE_URL: server.databaseUrl },
    write(text) {
      seen.out += text
    },
    complain(text) {
      seen.err += text
    },
    end(exitCode) {
      seen.exitCode = exitCode
    },
    readInput: async () => '',
    ask: async () => null,
    leave(exitCode) {
      seen.exitCode = exitCode
      throw new Left()
    },
  }
  await organizationCommands(terminal)
    .parseAsync(words, { from: 'user' })
    .catch((error: unknown) => {
      if (!(error instanceof Left)) throw error
    })
  return seen
}

async function created(
  email: string,
): Promise<{ organizationId: string; apiKey: string; owner: { password: string } }> {
  const words = ['create', '--name', 'Engines', '--owner-email', email, '--owner-name', 'Ada', '--json']
  return JSON.parse((await type(...words)).out)
}

describe('msgctl-server org', () => {
  it('erases what is stored of one person, and says what is left', async () => {
    const { organizationId } = await created('eraser@example.com')
    const { out, exitCode } = await type('erase-contact', organizationId, '+1 202-555-7743')
    expect(exitCode).toBe(0)
    expect(out).toBe(
      'Nothing was stored.\n' +
        'Events and logs that name the person end by their retention, backups when you delete them.\n',
    )
    expect((await type('erase-contact', organizationId, '12')).exitCode).toBe(2)
    expect((await type('erase-contact', unknown, '12025557743')).err).toBe(`There is no organization ${unknown}.\n`)
  })

  it('creates an organization and shows its password and key once, while the service runs', async () => {
    const words = ['create', '--name', 'Ada & Co', '--owner-email', 'Ada@Example.com', '--owner-name', 'Ada']
    const { out, exitCode } = await type(...words, '--products', 'notify,developer', '--trial')
    expect(exitCode).toBe(0)
    const apiKey = /msk_[0-9a-f]{64}/.exec(out)?.[0] ?? ''
    const password = /Password\s+(\S+)/.exec(out)?.[1] ?? ''
    expect(await server.client({ apiKey }).account.me()).toMatchObject({
      email: 'ada@example.com',
      products: ['notify', 'developer'],
    })
    expect((await sessionOf(server.client({}).auth.signIn({ email: 'ada@example.com', password }))).success).toBe(true)
    const { out: listed } = await type('list')
    expect(listed).toContain('Ada & Co')
    expect(listed).not.toContain(apiKey)
  })

  it('walks an organization through products, numbers, members and its end', async () => {
    const { organizationId: id, apiKey } = await created('walk@example.com')
    expect((await type('revoke', id, 'notify', 'connect')).out).toMatch(/notify\s+granted\s+paused/)
    expect((await type('grant', id, 'notify', '--json')).out).toContain('"product": "notify"')
    expect((await type('extra-numbers', id, '2', '--until', '2999-12-31')).out).toBe(
      'Extra numbers: 2 until 3000-01-01T00:00:00.000Z.\n',
    )
    const added = await type('member', 'add', id, 'bob@example.com', '--role', 'member', '--name', 'Bob')
    expect(added.out).toMatch(/Password {2}\S{16}\n/)
    expect((await type('member', 'role', id, 'bob@example.com', 'admin')).out).toBe('bob@example.com is admin now.\n')
    expect((await type('member', 'password', id, 'bob@example.com')).out).toMatch(
      /^bob@example\.com has a new password\. Sessions ended: 0\.\n\n {2}Password {2}\S{16}\n/,
    )
    const shown = await type('show', id)
    expect(shown.out).toMatch(/bob@example\.com\s+Bob\s+admin/)
    expect(shown.out).not.toContain(apiKey)
    expect((await type('member', 'remove', id, 'bob@example.com')).exitCode).toBe(0)
    expect((await type('deactivate', id)).out).toBe('The organization is deactivated.\n')
    await expect(server.client({ apiKey }).account.me()).rejects.toMatchObject({ code: 'ACCOUNT_DEACTIVATED' })
    expect((await type('activate', id)).exitCode).toBe(0)
    expect(JSON.parse((await type('show', id, '--json')).out)).toMatchObject({ id, deactivatedAt: null })
  })

  it('does not create the same organization twice, unless that is meant', async () => {
    const words = ['create', '--name', 'Twice', '--owner-email', 'twice@example.com', '--owner-name', 'Ada']
    expect((await type(...words)).exitCode).toBe(0)
    const again = await type(...words)
    expect(again).toMatchObject({ out: '', exitCode: 1 })
    expect(again.err).toMatch(/^twice@example\.com owns an organization of this name already: [0-9a-f-]{36}\. .*--yes/)
    expect((await type(...words, '--yes')).exitCode).toBe(0)
  })

  it('explains a database that refuses changes', async () => {
    const readOnly = Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' })
    const terminal: Terminal = {
      env: { DATABASE_URL: server.databaseUrl },
      write: () => {},
      complain: () => {},
      end: () => {},
      readInput: async () => '',
      ask: async () => null,
      leave: () => {
        throw new Left()
      },
    }
    const running = runCommand(terminal, false, () => Promise.reject(readOnly), String)
    await expect(running).rejects.toThrow(/^The database of DATABASE_URL \(.*\) cannot be used: it is read-only/)
  })

  it('names the state of an organization that moves or has moved', async () => {
    const { organizationId: id } = await created('mover@example.com')
    const states = async () => {
      const { out } = await type('list')
      const shown = await type('show', id)
      return [out.split('\n').find((line) => line.startsWith(id)), /^State +(.*)$/m.exec(shown.out)?.[1]]
    }
    await rows(server.db, 'update organizations set moving_at = service_now() where id = :id', { id })
    expect(await states()).toEqual([
      expect.stringMatching(/ moving$/),
      expect.stringMatching(/^closed for a move since /),
    ])
    const moved = 'update organizations set closed_at = moving_at, moved_to = :to, moved_at = moving_at where id = :id'
    await rows(server.db, moved, { id, to: 'https://b.example.com' })
    expect(await states()).toEqual([expect.stringMatching(/ moved$/), 'moved to https://b.example.com'])
    expect((await type('delete', id, '--yes')).err).toMatch(/^The organization has moved to https:/)
  })

  it('deletes an organization only when its name is confirmed, and takes that back', async () => {
    const { organizationId: id, apiKey } = await created('deleted@example.com')
    expect(await type('delete', id)).toMatchObject({ out: '', exitCode: 2, err: expect.stringContaining('--yes') })
    await type('protect', id)
    expect((await type('delete', id, '--yes')).err).toContain('msgctl-server org unprotect')
    await type('unprotect', id)
    expect((await type('delete', id, '--yes')).out).toContain('erased in 7 days')
    await expect(server.client({ apiKey }).account.me()).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    expect((await type('list')).out).toMatch(new RegExp(`^${id}.* deleted$`, 'm'))
    expect((await type('delete', id, '--yes')).exitCode).toBe(1)
    expect((await type('restore', id)).exitCode).toBe(0)
    expect((await type('show', id)).out).toMatch(/^State +active$/m)
    const log = await rows<{ action: string }>(
      server.db,
      'select action from activity_log where organization_id = :id order by id desc limit 2',
      { id },
    )
    expect(log.map(({ action }) => action)).toEqual(['organization.restored', 'organization.deleted'])
  })

  it('says what is not possible in a sentence, and ends with 1', async () => {
    const { organizationId: id } = await created('sentences@example.com')
    for (const words of [
      ['show', unknown],
      ['grant', unknown, 'notify'],
      ['member', 'remove', id, 'nobody@example.com'],
      ['member', 'remove', id, 'sentences@example.com'],
      ['member', 'role', id, 'sentences@example.com', 'owner'],
      ['member', 'add', id, 'new@example.com', '--role', 'admin'],
    ]) {
      const { out, err, exitCode } = await type(...words)
      expect({ words, out, exitCode }).toEqual({ words, out: '', exitCode: 1 })
      expect(err).toMatch(/^[A-Z\w@.]+ [^\n]+\.\n$/)
    }
  })

  it.each([
    [['show', 'not-an-id'], 'id of an organization'],
    [['show'], 'id'],
    [['grant', unknown], 'products'],
    [['grant', unknown, 'everything'], 'one of: notify'],
    [['create', '--name', 'X'], 'owner-email'],
    [['create', '--name', 'X', '--owner-email', 'x', '--owner-name', 'Y'], 'e-mail address'],
    [['create', '--name', 'X'.repeat(101), '--owner-email', 'x@example.com', '--owner-name', 'Y'], '1 to 100'],
    [['extra-numbers', unknown, '-1'], 'whole number from 0'],
    [['extra-numbers', unknown, '1.5'], 'whole number'],
    [['extra-numbers', unknown, '1', '--until', 'soon'], 'a day like'],
    [['member', 'add', unknown, 'x@example.com', '--role', 'owner', '--name', 'X'], 'one of: admin, member'],
    [['member', 'add', unknown, 'x@example.com', '--name', 'X'], '--role'],
    [['member', 'role', unknown, 'x@example.com', 'king'], 'one of: owner'],
    [['list', '--limit', '0'], 'whole number from 1'],
    [['invent'], 'unknown command'],
  ])('says what cannot be understood in %j, and ends with 2', async (words, hint) => {
    const { out, err, exitCode } = await type(...words)
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 2 })
    expect(err).toContain(hint)
  })

  it('refuses an end of extra numbers in the past and exits with 2', async () => {
    const { organizationId } = await created('past@example.com')
    const { err, exitCode } = await type('extra-numbers', organizationId, '2', '--until', '2001-01-01')
    expect(exitCode).toBe(2)
    expect(err).toBe('2001-01-02T00:00:00.000Z is in the past. Give a later time.\n')
  })

  it('shows names in a way that cannot steer the terminal', async () => {
    const { organizationId } = await created('steer@example.com')
    await rows(server.db, 'update organizations set name = :name where id = :organizationId', {
      organizationId,
      name: 'Evil\u001b[2J\u202e',
    })
    expect((await type('show', organizationId)).out).toContain('Evil?[2J?\n')
  })

  it('explains itself', async () => {
    const { out, exitCode } = await type('--help')
    expect(exitCode).toBe(0)
    for (const word of [
      'create',
      'list',
      'show',
      'grant',
      'revoke',
      'deactivate',
      'activate',
      'extra-numbers',
      'member',
    ])
      expect(out).toContain(word)
  })
})
