import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { accountFor } from './account.ts'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'
import { freePort } from './postmaster.ts'
import { query } from './testing/query.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-embedded-'))
chmodSync(folder, 0o755)
const dataDir = path.join(folder, 'with spaces', 'pg')

const running: EmbeddedPostgres[] = []
const others: ChildProcess[] = []

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, ...options })
  running.push(postgres)
  return postgres
}

const lockFile = path.join(dataDir, 'postmaster.pid')

afterEach(async () => {
  for (const child of others.splice(0)) child.kill('SIGKILL')
  await Promise.all(running.splice(0).map((postgres) => postgres.stop()))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('startEmbeddedPostgres', { timeout: 60_000 }, () => {
  it('keeps what was stored before it was stopped, with the same password', async () => {
    const first = await start()
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    await first.stop()
    const second = await start()
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(new URL(second.url).password).toBe(new URL(first.url).password)
  })

  it('stores UTF-8, sorts alike everywhere, and takes 200 connections and the settings of the caller', async () => {
    const postgres = await start({ settings: { work_mem: '7MB' } })
    const sql = `select datlocprovider as provider, datlocale as locale, pg_encoding_to_char(encoding) as encoding,
      current_setting('max_connections') as connections, current_setting('work_mem') as memory
      from pg_database where datname = current_database()`
    expect(await query(postgres.url, sql)).toEqual([
      { provider: 'b', locale: 'C.UTF-8', encoding: 'UTF8', connections: '200', memory: '7MB' },
    ])
  })

  it('refuses connections without the password', async () => {
    const { url } = await start()
    await expect(query(url.replace(/:[0-9a-f]+@/, ':guess@'), 'select 1')).rejects.toThrow(
      /password authentication failed/,
    )
  })

  it('refuses a folder that another server uses, and names the process to stop', async () => {
    await start()
    const pid = readFileSync(lockFile, 'utf8').split('\n')[0]
    const second = start({ lockTimeouts: { runningMs: 50 } })
    await expect(second).rejects.toMatchObject({ reason: 'in_use' })
    await expect(second).rejects.toThrow(
      new RegExp(`in use by another server: its Postgres, process ${pid}, serves it`),
    )
  })

  it('starts one of two that start at once on a fresh folder, and refuses the other', async () => {
    const fresh = path.join(folder, 'raced')
    const both = [1, 2].map(() => start({ dataDir: fresh, lockTimeouts: { runningMs: 200 } }))
    const results = await Promise.allSettled(both)
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { reason: 'in_use' } })
  })

  it('takes another port when a program took the chosen one first', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const taken = (server.address() as AddressInfo).port
    const chosen = [taken]
    const { url } = await start({ choosePort: async () => chosen.shift() ?? freePort() })
    server.close()
    expect(chosen).toEqual([])
    expect(new URL(url).port).not.toBe(String(taken))
  })

  it.each(['a pid that no process has', 'a pid that another program has by now', 'nothing'])(
    'starts although a crash of the machine left a lock file with %s',
    async (content) => {
      const crashed = await start()
      const lock = readFileSync(lockFile, 'utf8')
      await crashed.stop()
      const other = spawn('sleep', ['600'], { ...accountFor(dataDir), stdio: 'ignore' })
      others.push(other)
      const pid = content === 'a pid that no process has' ? 2 ** 22 + 1 : other.pid
      writeFileSync(lockFile, content === 'nothing' ? '' : lock.replace(/^\d+/, String(pid)))
      expect(await query((await start()).url, 'select 1 as alive')).toEqual([{ alive: 1 }])
    },
  )

  it('starts from scratch when the first start was killed half-way, and removes what that left', async () => {
    const fresh = path.join(folder, 'half')
    const unfinished = `${fresh}.unfinished-${2 ** 22 + 1}-0000`
    mkdirSync(path.join(unfinished, 'data'), { recursive: true })
    writeFileSync(path.join(unfinished, 'data', 'PG_VERSION'), '18\n')
    await start({ dataDir: fresh })
    expect(readdirSync(folder).filter((name) => name.startsWith('half'))).toEqual(['half'])
  })

  it.each([
    ['holds other files', 'notes.txt', 'mine', /is not empty and holds no database/],
    ['was made by another version', 'PG_VERSION', '12\n', /was made by PostgreSQL 12, and this is PostgreSQL \d+/],
  ])('refuses a folder that %s and leaves it alone', async (_, name, content, message) => {
    const foreign = mkdtempSync(path.join(folder, 'foreign-'))
    writeFileSync(path.join(foreign, name), content)
    const refused = start({ dataDir: foreign })
    await expect(refused).rejects.toMatchObject({ reason: 'folder_not_usable' })
    await expect(refused).rejects.toThrow(message)
    expect(readFileSync(path.join(foreign, name), 'utf8')).toBe(content)
  })

  it('shows the end of the log when Postgres does not start', async () => {
    const wrong = start({ settings: { shared_buffers: 'plenty' } })
    await expect(wrong).rejects.toMatchObject({ reason: 'start_failed' })
    await expect(wrong).rejects.toThrow(/invalid value for parameter "shared_buffers": "plenty"/)
  })
})
