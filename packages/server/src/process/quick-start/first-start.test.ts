import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MessagingClient } from '@msgctl/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { buildServer, serverProgram } from '#testing/worker-process.ts'
import { readProjectFile } from './project-file.ts'

const started: { child: ChildProcess; folder: string }[] = []
beforeAll(buildServer)
afterAll(async () => {
  for (const { child, folder } of started) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the service as `npm start` does, in an empty folder with an embedded database of its own. */
async function firstStart() {
  const folder = mkdtempSync(path.join(tmpdir(), 'first-start-'))
  const port = await freePort()
  const child = spawn(process.execPath, [serverProgram, 'serve'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), SIM_SPEED: '5' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  started.push({ child, folder })
  return { child, folder, origin: `http://127.0.0.1:${port}`, errors: () => errors }
}

async function isUp(origin: string): Promise<boolean> {
  return fetch(`${origin}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

describe('a first start', () => {
  it('listens once a text can be sent', async () => {
    const { origin, folder } = await firstStart()
    await eventually(
      () => isUp(origin),
      (up) => up,
    )
    const project = readProjectFile(folder)
    expect(project?.baseUrl).toBe(`${origin}/api/v1`)
    const client = new MessagingClient({ baseUrl: `${origin}/api/v1`, apiKey: project?.apiKey ?? '' })
    expect((await client.alert.send({ phone: '+12025550100', message: 'hello' })).status).toBe('queued')
  }, 60_000)

  it('that is stopped before it is complete ends without an error', async () => {
    const { child, folder, errors } = await firstStart()
    await eventually(
      async () => readProjectFile(folder),
      (project) => project !== null,
    )
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect([child.exitCode, errors()]).toEqual([0, ''])
  }, 60_000)
})
