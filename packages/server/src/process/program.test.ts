import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { MessagingClient } from '@msgctl/client'
import { AdminClient } from '@msgctl/client/admin'
import { afterAll, describe, expect, it } from 'vitest'
import { connect } from '#platform/db/db.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { testDatabase, withEmptyDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { sessionOf } from '#testing/session-of.ts'
import { buildServer, serverProgram } from '#testing/worker-process.ts'

await buildServer()
const { url } = await testDatabase()
const program = await startApiProcess(url, {
  SIGNUP: 'open',
  SERVICES: 'api,worker',
  ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
})
afterAll(() => program.stop())

const origin = new URL(program.baseUrl).origin
const visitor = new AdminClient({ baseUrl: program.baseUrl })
const { token } = await visitor.auth.signUp({
  name: 'Ada',
  email: 'ada@example.com',
  password: 'a long password',
  organizationName: 'Engines',
})
const client = new MessagingClient({ baseUrl: program.baseUrl, token })

/** Runs the program in an empty folder, without a database. Returns what it complains of, and what is there then. */
async function withoutDatabase(args: string[], settings: Record<string, string> = {}) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'msgctl-empty-'))
  try {
    const env = { PATH: process.env.PATH, ...settings }
    const failure = await promisify(execFile)(process.execPath, [serverProgram, ...args], { cwd, env }).then(
      () => expect.fail('it ended well'),
      (error: { stderr: string }) => error.stderr,
    )
    return { failure, files: readdirSync(cwd) }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

async function migrate(databaseUrl: string): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl }
  const { stdout } = await promisify(execFile)(process.execPath, [serverProgram, 'migrate'], { env })
  return stdout
}

// Each of these needs a library that the bundle leaves where it is, or a file of one.
describe('the program as it is built', () => {
  it('checks a password', async () => {
    const { user } = await sessionOf(visitor.auth.signIn({ email: 'ada@example.com', password: 'a long password' }))
    expect(user.name).toBe('Ada')
  })

  it('makes no database for an operator, nor in production', async () => {
    for (const words of [['org', 'list'], ['migrate']]) {
      const command = await withoutDatabase(words)
      expect(command).toEqual({ failure: expect.stringMatching(/^There is no data in .*Set DATABASE_URL/), files: [] })
    }
    const served = await withoutDatabase([], { NODE_ENV: 'production', GATEWAY: 'simulator' })
    expect(served).toEqual({ failure: expect.stringContaining('DATABASE_URL is not set'), files: [] })
  })

  it('prints its version without any settings', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [serverProgram, '--version'], { env: {} })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
    const health = await fetch(`${origin}/healthz`).then((response) => response.json())
    expect(health).toMatchObject({ version: stdout.trim() })
  })

  it('serves the API reference with its script', async () => {
    for (const path of ['/docs/guides/errors', '/docs/assets/page.js']) {
      const response = await fetch(`${origin}${path}`)
      expect(response.status).toBe(200)
      expect((await response.text()).length).toBeGreaterThan(5000)
    }
  })

  it('draws a QR code', async () => {
    await client.numbers.create({ label: 'Front desk' })
    const picture = await eventually(
      () => client.numbers.qr(),
      (found) => found.status === 'SCAN_QR_CODE',
    )
    expect(picture).toMatchObject({ qr: { image: expect.stringMatching(/^data:image\/png;base64,/) } })
  })

  it('posts to a webhook', async () => {
    await client.webhook.set({ webhookUrl: `${origin}/no-such-path` })
    await client.webhook.test()
    const { deliveries } = await eventually(
      () => client.webhook.deliveries(),
      (found) => found.deliveries.some(({ attempts }) => attempts > 0),
    )
    expect(deliveries[0]).toMatchObject({ attempts: 1, lastStatus: 404 })
  })
})

describe('migrate', () => {
  it('names what it applied, and reports when there was nothing to do', async () => {
    await withEmptyDatabase(async (empty) => {
      expect(await migrate(empty)).toMatch(/^(Applied \d{4}-.*\n)+The database is up to date now\.\n$/)
      expect(await migrate(empty)).toBe('The database was up to date.\n')
    })
  })

  it('explains what to do with a database of a version before 0.1.0', async () => {
    await withEmptyDatabase(async (old) => {
      const db = connect(old, { poolMax: 1 })
      await db.raw('create table schema_migrations (name text)')
      await db.raw(`insert into schema_migrations values ('0001-clock-and-tenants')`).finally(() => db.destroy())
      const error = await migrate(old).catch((thrown: { code: number; stderr: string }) => thrown)
      expect(error).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The database of DATABASE_URL \(.*\) was /),
      })
      expect(error).toMatchObject({ stderr: expect.stringMatching(/Drop it and create an empty one.*\.\n$/) })
    })
  })
})
