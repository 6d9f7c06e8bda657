import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestServer } from '../test/start-server.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome']
const folders = (process.env.PATH ?? '').split(path.delimiter)
const browser = folders
  .flatMap((folder) => names.map((name) => path.join(folder, name)))
  .find((file) => existsSync(file))

const server = browser === undefined ? undefined : await startTestServer({ worker: false })

/** What a browser did with a page. */
interface Visit {
  readonly dom: string
  /** What the page wrote to the console, or was told there. */
  readonly told: readonly string[]
  /** The addresses that the page asked for; what the browser asks for itself has no origin. */
  readonly asked: readonly string[]
}

/** Every address that a page asked for, from the browser's log of the network. */
function askedFor(netLog: string): string[] {
  const { events } = JSON.parse(netLog) as { events: { params?: { url?: string; initiator?: string } }[] }
  const asked = events.flatMap(({ params }) => (params?.initiator?.startsWith('http') && params.url) || [])
  return [...new Set(asked)]
}

/** Opens the page in a headless browser that reaches this machine only, until nothing is left to be done. */
async function visit(program: string, url: string): Promise<Visit> {
  const folder = await mkdtemp(path.join(tmpdir(), 'msgctl-browser-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const netLog = path.join(folder, 'net.json')
  const { stdout, stderr } = await promisify(execFile)(
    program,
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      ...['--enable-logging=stderr', '--virtual-time-budget=20000', '--window-size=1400,1000'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      `--user-data-dir=${folder}`,
      `--log-net-log=${netLog}`,
      '--dump-dom',
      url,
    ],
    { maxBuffer: 256 * 1024 ** 2, timeout: 90_000 },
  )
  const told = stderr.split('\n').filter((line) => line.includes('CONSOLE'))
  return { dom: stdout, told, asked: askedFor(await readFile(netLog, 'utf8')) }
}

describe.skipIf(browser === undefined)('the API reference in a browser (skipped where there is no Chromium)', () => {
  it('shows every group of operations and the events, asks this host alone, and is refused nothing', async () => {
    const address = server?.address
    const { dom, told, asked } = await visit(browser ?? '', `${address}/docs`)
    const shown = ['Queue one text message', 'Create a campaign', 'X-Service-Signature', 'NUMBER_NOT_ON_NETWORK']
    expect(shown.filter((text) => !dom.includes(text))).toEqual([])
    expect([...asked].sort()).toEqual([`${address}/api/v1/openapi.json`, `${address}/docs/redoc.js`])
    expect(told).toEqual([])
  }, 120_000)
})
