import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { accountFor, mayEnter } from './account.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { isRunning } from './lock-file.ts'
import { query } from './testing/query.ts'

/**
 * A server in small, in a process of its own: it starts Postgres, prints the URL as one line of JSON, and on Ctrl-C
 * still runs a query before it stops Postgres. Vite compiles the launcher for it, as it does for these tests.
 */
const script = `
  import { createViteServer } from 'vitest/node'
  const [launcher, dataDir, cacheDir] = process.argv.slice(-3)
  const vite = await createViteServer({
    configFile: false, logLevel: 'error', cacheDir, appType: 'custom', optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, ws: false, watch: null },
  })
  const { startEmbeddedPostgres } = await vite.ssrLoadModule(launcher)
  const { query } = await vite.ssrLoadModule(launcher.replace('embedded-postgres.ts', 'testing/query.ts'))
  process.once('SIGINT', async () => {
    await query(postgres.url, 'select 1')
    await postgres.stop()
    process.stdout.write('drained', () => process.exit(0))
  })
  const postgres = await startEmbeddedPostgres({ dataDir })
  console.log(JSON.stringify(postgres))
`

const launcher = fileURLToPath(import.meta.resolve('./embedded-postgres.ts'))
const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-crash-'))
chmodSync(folder, 0o755)

/** Initialised by the first test that starts on it. */
const dataDir = path.join(folder, 'data')

const children: ChildProcess[] = []
const running: EmbeddedPostgres[] = []

function spawnServer(on: string, options: SpawnOptions = {}): ChildProcess {
  const args = ['--input-type=module', '--eval', script, launcher, on, path.join(path.dirname(on), 'vite')]
  const child = spawn(process.execPath, args, {
    cwd: path.dirname(launcher),
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  })
  children.push(child)
  return child
}

/** The first line the server prints: the Postgres it started. */
async function started(child: ChildProcess): Promise<{ url: string }> {
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return JSON.parse(line.toString()) as { url: string }
}

const postmasterPid = (): number => Number.parseInt(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8'), 10)

/** Polls until `done` returns true; vitest's timeout fails a test whose condition never holds. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await wait(10)
}

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  await Promise.all(running.splice(0).map((postgres) => postgres.stop()))
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

describe('the embedded Postgres', { timeout: 60_000 }, () => {
  it('ends when its server is killed with kill -9, and the next start on the folder works at once', async () => {
    const child = spawnServer(dataDir)
    await started(child)
    const pid = postmasterPid()
    child.kill('SIGKILL')
    await once(child, 'exit')
    running.push(await startEmbeddedPostgres({ dataDir }))
    expect(postmasterPid()).not.toBe(pid)
    expect(isRunning(pid)).toBe(false)
  })

  it('comes back after it was itself killed with kill -9', async () => {
    const first = await startEmbeddedPostgres({ dataDir })
    process.kill(postmasterPid(), 'SIGKILL')
    await first.stop()
    running.push(await startEmbeddedPostgres({ dataDir }))
    await query(running[0]?.url ?? '', 'select 1')
  })

  it('leaves no half-made data folder behind when its server is killed during the first start', async () => {
    const young = path.join(folder, 'young')
    const unfinished = () => readdirSync(folder).filter((name) => name.startsWith('young.unfinished'))
    const isHalfMade = () => unfinished().some((name) => existsSync(path.join(folder, name, 'data', 'global')))
    // On a busy machine a whole start may pass between two looks: then the next one is killed.
    for (let isReady = true; isReady; ) {
      const child = spawnServer(young)
      await until(() => isHalfMade() || existsSync(young))
      child.kill('SIGKILL')
      await once(child, 'exit')
      isReady = existsSync(young)
      if (isReady) rmSync(young, { recursive: true })
    }
    running.push(await startEmbeddedPostgres({ dataDir: young }))
    await until(() => unfinished().length === 0)
  })

  it('survives Ctrl-C in the terminal, so that the server can drain before it stops it', async () => {
    const child = spawnServer(dataDir)
    await started(child)
    const pid = postmasterPid()
    const output = once(child.stdout as NodeJS.ReadableStream, 'data')
    process.kill(-(child.pid ?? 0), 'SIGINT')
    expect(String((await output)[0])).toBe('drained')
    expect(isRunning(pid)).toBe(false)
  })

  const otherAccount = accountFor(folder)
  const programs = [launcher, process.execPath].map((file) => path.dirname(file))
  const canBeTried = otherAccount.uid !== undefined && programs.every((program) => mayEnter(program, otherAccount))

  it.runIf(canBeTried)('runs for an ordinary user without any set-up', async () => {
    const home = path.join(folder, 'home')
    mkdirSync(home, { mode: 0o700 })
    chownSync(home, otherAccount.uid ?? 0, otherAccount.gid ?? 0)
    const child = spawnServer(path.join(home, 'pg'), { ...otherAccount, env: { PATH: process.env.PATH, HOME: home } })
    await query((await started(child)).url, 'select 1')
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
