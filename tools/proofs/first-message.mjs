// From a clone to a read message: clones this repository, runs npm start, follows the link that it prints in a browser
// without a window, sends the first message of the first run, and waits until it is read. Only clicks, no keyboard.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findChromium } from '../scripts/chromium.mjs'
import { refusal, root, runQuietly } from '../scripts/process.mjs'

/** @import { ChildProcessByStdio } from 'node:child_process' */
/** @import { AddressInfo } from 'node:net' */
/** @import { Readable } from 'node:stream' */

const atMostSeconds = Number(process.env.FIRST_MESSAGE_SECONDS ?? 60)
const { chromium } = createRequire(path.join(root, 'packages/console/package.json'))('playwright-core')
const executablePath = findChromium()
if (!executablePath) throw refusal('No Chromium was found. Set CHROMIUM to its path.')

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-first-message-'))
const startedAt = performance.now()
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1)
/** @param {string} what */
const report = (what) => console.log(`${seconds().padStart(6)} s  ${what}`)

let server
let browser
try {
  const clone = path.join(folder, 'clone')
  await runQuietly('git clone', 'git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone])
  report('cloned')
  server = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...process.env, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const link = await printedLink(server)
  report('npm start printed the link')
  browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
  const page = await browser.newPage()
  await page.goto(link)
  await page.getByRole('button', { name: 'Send', exact: true }).click({ timeout: 60_000 })
  report('sent')
  await page.locator('.task', { hasText: 'Watch it arrive' }).getByText('Read').waitFor({ timeout: 60_000 })
  report('read')
  if (Number(seconds()) > atMostSeconds) {
    console.error(`It took more than ${atMostSeconds} s.`)
    process.exitCode = 1
  }
} finally {
  await browser?.close()
  if (server?.pid !== undefined && server.exitCode === null) {
    // The whole group: npm, its shell and the service.
    process.kill(-server.pid, 'SIGTERM')
    await once(server, 'close')
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = /** @type {AddressInfo} */ (probe.address())
  probe.close()
  await once(probe, 'close')
  return port
}

/**
 * Returns the welcome link once the program has printed it. Throws when the program ends before.
 *
 * @param {ChildProcessByStdio<null, Readable, null>} child
 * @returns {Promise<string>}
 */
function printedLink(child) {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const found = /http:\S+\/console\/#welcome=[\w-]+/.exec(printed)
      if (found) resolve(found[0])
    })
    child.once('close', (code) => reject(new Error(`npm start ended with ${code}: ${printed}`)))
  })
}
