import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runGatewayHost } from './host-process.ts'

it('runs a gateway host with the database and the keys, and ends it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'host-process-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [program, log] = [path.join(folder, 'host.mjs'), path.join(folder, 'log')]
  writeFileSync(
    program,
    `import { appendFileSync } from 'node:fs'
     const write = (line) => appendFileSync(process.env.LOG, line + '\\n')
     write([process.env.DATABASE_URL, process.env.SECRETS_KEYS, process.env.KEPT].join(' '))
     process.on('SIGTERM', () => { write('stopped'); process.exit(0) })
     setInterval(() => {}, 1000)`,
  )
  const stop = runGatewayHost({ program, databaseUrl: 'db', secretsKeys: 'keys', env: { LOG: log, KEPT: 'kept' } })
  const lines = () => {
    try {
      return readFileSync(log, 'utf8').split('\n')
    } catch {
      return []
    }
  }
  await expect.poll(lines).toEqual(['db keys kept', ''])
  await stop()
  expect(lines()).toEqual(['db keys kept', 'stopped', ''])
})
