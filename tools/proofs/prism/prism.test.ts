import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeBaseline } from '../fuzz/baseline.ts'
import { type Json, operationsOf } from '../fuzz/document.ts'
import { createOracle } from '../fuzz/oracle.ts'
import { run } from '../fuzz/run.ts'

const prism = path.join(import.meta.dirname, 'node_modules/@stoplight/prism-cli/dist/index.js')
const requests = 500
/** Set by npm run proof -- prism, which also installs it. */
const wanted = process.env.PRISM === '1'
const ground = wanted ? await makeBaseline() : undefined

/** Returns a free port. Prism does not report the port that it was given. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts Prism before the service, for the calling test. Returns its base URL. */
async function startPrism(document: string, upstream: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'msgctl-prism-'))
  const file = path.join(folder, 'openapi.json')
  await writeFile(file, document)
  const port = String(await freePort())
  const proxy = spawn(process.execPath, [prism, 'proxy', file, upstream, '--errors', '-h', '127.0.0.1', '-p', port], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(proxy, 'exit')
  onTestFinished(async () => {
    proxy.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  for await (const line of createInterface(proxy.stdout)) {
    if (line.includes('Prism is listening')) {
      proxy.stdout.resume()
      return `http://127.0.0.1:${port}`
    }
  }
  throw new Error('Prism ended before it listened')
}

describe.skipIf(!wanted)('Prism, between a caller and the service (only in npm run proof -- prism)', () => {
  it('finds every good request and every answer to it as the document says', async () => {
    if (!ground) throw new Error('there is nothing to call')
    const { baseUrl } = ground.server
    const text = await (await fetch(`${baseUrl}/openapi.json`)).text()
    const document: Json = JSON.parse(text)
    // Prism waits for the end of an answer, which a stream does not have.
    const operations = operationsOf(document).filter(
      ({ answers }) => answers.get(200)?.mediaType !== 'text/event-stream',
    )
    const through = await startPrism(text, baseUrl)
    const wrong = { method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': 'none' }, body: '{}' }
    expect(await (await fetch(`${through}/alert/send`, wrong)).json()).toMatchObject({
      type: 'https://stoplight.io/prism/errors#UNPROCESSABLE_ENTITY',
    })
    const oracle = createOracle(document)
    const outcome = await run({
      baseline: ground,
      operations,
      oracle,
      seed: 1,
      requests,
      withinMs: 300_000,
      through,
      onlyGood: true,
    })
    expect(outcome.failures.map(({ report }) => report).join('\n\n')).toBe('')
    expect(outcome.requests).toBe(requests)
  }, 400_000)
})
