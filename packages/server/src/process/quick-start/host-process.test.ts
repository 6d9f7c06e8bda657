import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { buildServer } from '#testing/worker-process.ts'
import { runGatewayHost } from './host-process.ts'

/** A gateway host that writes what happens to it to the file LOG. */
const host = `
  import { appendFileSync } from 'node:fs'
  const write = (line) => appendFileSync(process.env.LOG, line + '\\n')
  write([process.env.DATABASE_URL, process.env.SECRETS_KEYS, process.env.KEPT].join(' '))
  const end = (how) => () => { write(how); process.exit(0) }
  process.on('SIGTERM', end('stopped'))
  if (process.env.GATEWAY_END_WITH_INPUT === '1') process.stdin.on('end', end('left alone')).resume()
  setInterval(() => {}, 1000)
`

function makeHost() {
  const folder = mkdtempSync(path.join(tmpdir(), 'host-process-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [program, log] = [path.join(folder, 'host.mjs'), path.join(folder, 'log')]
  writeFileSync(program, host)
  writeFileSync(log, '')
  return { folder, program, log, lines: () => readFileSync(log, 'utf8').split('\n') }
}

it('runs a gateway host with the database and the keys, and ends it', async () => {
  const { program, log, lines } = makeHost()
  const stop = runGatewayHost({ program, databaseUrl: 'db', secretsKeys: 'keys', env: { LOG: log, KEPT: 'kept' } })
  await expect.poll(lines).toEqual(['db keys kept', ''])
  await stop()
  expect(lines()).toEqual(['db keys kept', 'stopped', ''])
})

it('ends the gateway host of a service that was killed', async () => {
  await buildServer()
  const { folder, program, log, lines } = makeHost()
  const module = fileURLToPath(new URL('../../../dist/process/quick-start/host-process.js', import.meta.url))
  const service = path.join(folder, 'service.mjs')
  const settings = { program, databaseUrl: 'db', secretsKeys: 'keys', env: { LOG: log, KEPT: 'kept' } }
  writeFileSync(
    service,
    `import { runGatewayHost } from ${JSON.stringify(pathToFileURL(module).href)}
     runGatewayHost(${JSON.stringify(settings)})
     setInterval(() => {}, 1000)`,
  )
  const child = spawn(process.execPath, [service], { stdio: 'ignore' })
  await expect.poll(lines).toEqual(['db keys kept', ''])
  child.kill('SIGKILL')
  await expect.poll(lines).toEqual(['db keys kept', 'left alone', ''])
})
