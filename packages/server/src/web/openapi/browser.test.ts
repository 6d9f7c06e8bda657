import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestServer } from '#testing/start-server.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome']
const folders = (process.env.PATH ?? '').split(path.delimiter)
const browser = folders
  .flatMap((folder) => names.map((name) => path.join(folder, name)))
  .find((file) => existsSync(file))

const server = browser === undefined ? undefined : await startTestServer({ worker: false })

// biome-ignore lint/suspicious/noExplicitAny: messages of the DevTools protocol, of which few fields are read
type Message = any

/** The DevTools protocol over two pipes, its messages ended by NUL. */
interface DevTools {
  /** The events that the browser sent, which are not responses, oldest first. */
  readonly events: readonly Message[]
  command(method: string, params: object, sessionId?: string): Promise<Message>
}

function devTools(child: ChildProcess): DevTools {
  const [toBrowser, fromBrowser] = [child.stdio[3] as Writable, child.stdio[4] as Readable]
  const waiting = new Map<number, (response: Message) => void>()
  const events: Message[] = []
  let rest = ''
  let lastId = 0
  fromBrowser.setEncoding('utf8').on('data', (chunk: string) => {
    const texts = `${rest}${chunk}`.split('\0')
    rest = texts.pop() ?? ''
    for (const message of texts.map((text) => JSON.parse(text))) {
      if (message.id === undefined) events.push(message)
      else waiting.get(message.id)?.(message)
    }
  })
  return {
    events,
    command: (method, params, sessionId) =>
      new Promise((resolve, reject) => {
        lastId += 1
        waiting.set(lastId, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)))
        toBrowser.write(`${JSON.stringify({ id: lastId, method, params, sessionId })}\0`)
      }),
  }
}

/** Starts a browser that reaches this machine only, for the calling test. */
async function startBrowser(program: string): Promise<DevTools> {
  const folder = await mkdtemp(path.join(tmpdir(), 'msgctl-browser-'))
  const child = spawn(
    program,
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      '--remote-debugging-pipe',
      `--user-data-dir=${folder}`,
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  return devTools(child)
}

/** An expression that returns the page once it contains `text` and two more frames were drawn. */
const whenShown = (text: string) => `new Promise((resolve) => {
  const drawn = () => resolve(document.documentElement.outerHTML)
  const look = () => {
    if (!document.body?.textContent.includes(${JSON.stringify(text)})) return
    observer.disconnect()
    requestAnimationFrame(() => requestAnimationFrame(drawn))
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { childList: true, subtree: true })
  look()
})`

/** Sends the first request of a page, once its script has run. */
const tryFirst = `new Promise((resolve) => {
  const send = () => resolve(document.querySelector('.try form').requestSubmit())
  if (document.readyState === 'complete') send()
  else addEventListener('load', send)
})`

/** Opens an address in a new page, runs a script in it, and waits until it shows `text`. */
async function show({ command }: DevTools, url: string, text: string, script = ''): Promise<string> {
  const { targetId } = await command('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await command('Target.attachToTarget', { targetId, flatten: true })
  for (const domain of ['Network', 'Log', 'Runtime', 'Page']) await command(`${domain}.enable`, {}, sessionId)
  await command('Page.navigate', { url }, sessionId)
  if (script !== '') await command('Runtime.evaluate', { expression: script, awaitPromise: true }, sessionId)
  const expression = whenShown(text)
  const { result } = await command(
    'Runtime.evaluate',
    { expression, awaitPromise: true, returnByValue: true },
    sessionId,
  )
  return result.value
}

describe.skipIf(browser === undefined)('the documentation in a browser (skipped where there is no Chromium)', () => {
  it('loads from this host alone, nothing is refused, and a request can be tried', async () => {
    const tools = await startBrowser(browser ?? '')
    const page = await show(tools, `${server?.address}/docs/api/openapi`, 'Get the OpenAPI document')
    expect(page).toContain('data-language="curl"')
    const sent = (method: string) => tools.events.filter((event) => event.method === method)
    const requested = sent('Network.requestWillBeSent').map(({ params }) => new URL(params.request.url).pathname)
    const assets = ['theme.js', 'style.css', 'page.js'].map((name) => `/docs/assets/${name}`)
    expect(requested.filter((path) => path.startsWith('/')).sort()).toEqual(['/docs/api/openapi', ...assets].sort())
    // The browser logs what a policy refuses and what cannot be loaded.
    expect(sent('Log.entryAdded').map(({ params }) => params.entry.text)).toEqual([])

    const tried = await show(tools, `${server?.address}/docs/api/openapi`, '"title": "Messaging Service API"', tryFirst)
    expect(tried).toContain('200 OK')
    expect(sent('Log.entryAdded').map(({ params }) => params.entry.text)).toEqual([])
    expect(sent('Runtime.exceptionThrown')).toEqual([])
  }, 120_000)
})
