import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { keepRunning } from './keep-running.ts'
import type { Postmaster } from './postmaster.ts'
import { query } from './testing/query.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-restart-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** A Postgres of a test, which ends when the test says so. */
function fakePostmaster() {
  let end = () => {}
  const exited = new Promise<void>((resolve) => {
    end = resolve
  })
  let stops = 0
  const postmaster: Postmaster = {
    port: 1,
    exited,
    async stop() {
      stops += 1
      end()
    },
  }
  return { postmaster, end, stops: () => stops }
}

/** Notes what is reported, and lets a test wait for a report. */
function reports(delaysMs: readonly number[]) {
  const seen: string[] = []
  const wanted = new Map<string, () => void>()
  function report(what: string): void {
    seen.push(what)
    wanted.get(what)?.()
  }
  return {
    seen,
    next: (what: string) => new Promise<void>((resolve) => wanted.set(what, resolve)),
    watcher: {
      delaysMs,
      onEnded: () => report('ended'),
      onRestarted: () => report('restarted'),
      onGivenUp: (error: unknown) => report(`given up: ${(error as Error).message}`),
    },
  }
}

describe('a Postgres that is kept running', { timeout: 60_000 }, () => {
  it('accepts connections at the same URL after it was killed, with what was committed', async () => {
    const { watcher, next, seen } = reports([0, 100, 500, 1000])
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'killed'), restart: watcher })
    onTestFinished(() => postgres.stop())
    await query(postgres.url, 'create table kept as select 42 as answer')
    const restarted = next('restarted')
    process.kill(Number.parseInt(readFileSync(path.join(postgres.dataDir, 'postmaster.pid'), 'utf8'), 10), 'SIGKILL')
    await restarted
    expect(await query(postgres.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    await postgres.stop()
    expect(seen).toEqual(['ended', 'restarted'])
  })

  it('is given up after as many attempts as there are delays, with the last reason', async () => {
    const { watcher, next, seen } = reports([0, 0, 0])
    const first = fakePostmaster()
    let attempts = 0
    const kept = keepRunning(
      first.postmaster,
      async () => {
        attempts += 1
        throw new Error(`no space, attempt ${attempts}`)
      },
      watcher,
    )
    const givenUp = next('given up: no space, attempt 3')
    first.end()
    await givenUp
    await kept.stop()
    expect(seen).toEqual(['ended', 'given up: no space, attempt 3'])
  })

  it('is given up when it ends again soon after each start', async () => {
    const { watcher, next, seen } = reports([0, 0])
    const first = fakePostmaster()
    async function start(): Promise<Postmaster> {
      const again = fakePostmaster()
      again.end()
      return again.postmaster
    }
    keepRunning(first.postmaster, start, watcher)
    const givenUp = next('given up: Postgres ended again each time that it was started.')
    first.end()
    await givenUp
    expect(seen.filter((what) => what === 'restarted')).toHaveLength(2)
  })

  it('stays away once it is stopped, also while the next attempt waits', async () => {
    const { watcher, next, seen } = reports([3_600_000])
    const first = fakePostmaster()
    const kept = keepRunning(first.postmaster, () => Promise.reject(new Error('not wanted')), watcher)
    const ended = next('ended')
    first.end()
    await ended
    await kept.stop()
    const second = fakePostmaster()
    await keepRunning(second.postmaster, () => Promise.reject(new Error('not wanted')), watcher).stop()
    expect([second.stops(), seen]).toEqual([1, ['ended']])
  })
})
