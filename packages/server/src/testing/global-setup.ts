import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isRunning, startEmbeddedPostgres } from '@msgctl/embedded-postgres'
import type { TestProject } from 'vitest/node'
import { connect } from '#platform/db/db.ts'
import { migrate } from '#platform/db/migrate.ts'
import { databaseUrl, templateDatabase } from './database-url.ts'
import { declaredRowsFile } from './rows/declared-rows.ts'
import { unexecutedCalls } from './rows/executed.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The throw-away cluster of this run: the URL of its maintenance database. */
    pgUrl: string
    /** The file with the declared rows of each statement. */
    declaredRows: string
    /** The file to which workers add the calls of statements that were executed. */
    executedCalls: string
  }
}

/** Followed by the pid of the run, by which a later run detects an abandoned folder. */
const folderPrefix = 'msgctl-test-'

/**
 * Linux's folder in memory. The database of a test file is a copy of 900 files: half a second on some disks, 20 ms
 * here.
 */
const memoryFolder = '/dev/shm'
/** The cluster of a whole run stays far below this. */
const neededBytes = 4 * 1024 ** 3

interface SharedDatabase {
  url: string
  declaredRows: string
  executedCalls: string
  users: number
  end(): Promise<void>
}

/**
 * One cluster for all projects of a run. Each project loads this file as a module of its own, so what they share hangs
 * on the process; the last project that is done takes it down.
 */
const shared = globalThis as { msgctlTestGround?: Promise<SharedDatabase> | undefined }

/** Vitest's global setup of every project whose tests need a database: `globalSetup` in its config names this file. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.msgctlTestGround ??= prepare()
  const ground = await shared.msgctlTestGround
  ground.users += 1
  project.provide('pgUrl', ground.url)
  project.provide('declaredRows', ground.declaredRows)
  project.provide('executedCalls', ground.executedCalls)
  return async () => {
    if (await hasRunAll(project)) reportUnexecuted(ground)
    ground.users -= 1
    if (ground.users > 0) return
    shared.msgctlTestGround = undefined
    await ground.end()
  }
}

/** Whether every test file of the project ran that meets all of the server: then each statement was executed. */
async function hasRunAll(project: TestProject): Promise<boolean> {
  if (project.name !== 'service') return false
  const { testFiles } = await project.globTestFiles()
  const ran = new Set(project.vitest.state.getPaths())
  return testFiles.every((file) => ran.has(file))
}

function reportUnexecuted({ declaredRows, executedCalls }: SharedDatabase): void {
  const calls = unexecutedCalls(declaredRows, executedCalls)
  if (calls.length === 0) return
  console.error(`No test executes these statements, so nothing checks the types of their rows:\n${calls.join('\n')}`)
  process.exitCode = 1
}

async function prepare(): Promise<SharedDatabase> {
  removeAbandoned()
  const parent = hasRoom(memoryFolder) ? memoryFolder : tmpdir()
  const folder = mkdtempSync(path.join(parent, `${folderPrefix}${process.pid}-`))
  // As root, Postgres runs under another user, who has to pass through.
  chmodSync(folder, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg'), volatile: true })
  async function remove(): Promise<void> {
    await postgres.stop()
    rmSync(postgres.dataDir, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
  let declaredRows: string
  try {
    await makeTemplate(postgres.url)
    declaredRows = declaredRowsFile()
  } catch (error) {
    await remove()
    throw error
  }
  return {
    url: postgres.url,
    declaredRows,
    executedCalls: path.join(folder, 'executed-calls'),
    users: 0,
    end: remove,
  }
}

/** Returns whether this process may write to the folder, and a whole run fits there. */
function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= neededBytes
  } catch {
    return false
  }
}

/** Removes the clusters of runs that were killed. */
function removeAbandoned(): void {
  for (const parent of [tmpdir(), ...(hasRoom(memoryFolder) ? [memoryFolder] : [])]) removeAbandonedFrom(parent)
}

function removeAbandonedFrom(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(folderPrefix) || isRunning(Number.parseInt(name.slice(folderPrefix.length), 10))) continue
    const folder = path.join(parent, name)
    if (statSync(folder).uid === process.getuid?.()) rmSync(folder, { recursive: true, force: true })
  }
}

async function makeTemplate(url: string): Promise<void> {
  const maintenance = connect(url, { poolMax: 1 })
  await maintenance.raw(`create database ${templateDatabase}`).finally(() => maintenance.destroy())
  const template = connect(databaseUrl(url, templateDatabase))
  await migrate(template).finally(() => template.destroy())
}
