// How soon the console is on the screen, here and on a slow telephone, and how soon something that arrived is seen.
// Needs Chromium.
import { createRequire } from 'node:module'
import { findChromium } from '../scripts/chromium.mjs'
import { recordNotMeasured } from './results/report.mjs'
import { record, withService } from './support/harness.mjs'
import { startProgram } from './support/programs.mjs'
import { medianWithInterval } from './timing/paired.mjs'

/** @import { Browser, Page } from '../../packages/console/node_modules/playwright-core/index.js' */

/** @typedef {{ address: string, token: string, containerId: string }} Console An API process with one linked number. */

const rounds = process.env.BENCH_BRIEF ? 3 : 7
/** 1.6 Mbit/s with 150 ms, as Lighthouse has it for telephones. */
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowCpu = 4
const simToken = 'the-token-of-a-benchmark'

const executablePath = findChromium()
/** @type {typeof import('../../packages/console/node_modules/playwright-core/index.js')} */
const { chromium } = createRequire(new URL('../../packages/console/package.json', import.meta.url))('playwright-core')

/** @type {Record<string, (page: Page) => Promise<number>>} */
const measures = {
  'first paint': (page) =>
    page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
  // The text of the page stands, with what it read.
  shell: (page) => page.evaluate(() => performance.now()),
}

/**
 * Opens the start page in a browser without a cache. Returns the milliseconds of each measure.
 * @param {Browser} browser
 * @param {Console} service
 * @param {boolean} isSlow
 */
async function open(browser, { address, token }, isSlow) {
  const context = await browser.newContext({
    viewport: isSlow ? { width: 390, height: 844 } : { width: 1360, height: 860 },
  })
  try {
    await context.addCookies([{ name: 'msgctl', value: token, url: address, httpOnly: true, sameSite: 'Strict' }])
    const page = await context.newPage()
    if (isSlow) {
      const session = await context.newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', slowNetwork)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowCpu })
    }
    await page.goto(`${address}/console/`, { waitUntil: 'commit' })
    await page.locator('.live[data-state=live]').waitFor({ timeout: 60_000 })
    /** @type {Record<string, number>} */
    const found = {}
    for (const [name, measure] of Object.entries(measures)) found[name] = await measure(page)
    return found
  } finally {
    await context.close()
  }
}

/**
 * Returns the milliseconds from a message of a person until the inbox shows it.
 * @param {Page} page
 * @param {Console} service
 * @param {number} n
 */
async function arrive(page, { address, containerId }, n) {
  const text = `Message ${n} of the benchmark`
  const began = performance.now()
  const response = await fetch(`${address}/sim/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-sim-token': simToken },
    body: JSON.stringify({ containerId, from: '12025550158', text }),
  })
  if (!response.ok) throw new Error(`the simulator responded ${response.status}: ${await response.text()}`)
  await page.getByText(text).first().waitFor()
  return performance.now() - began
}

/**
 * What the API responds with; each route responds with some of it.
 * @typedef {{ token: string, session: { id: string }, sessions: [{ connected: boolean }] }} Answer
 */

/**
 * Signs a person in to the console. Returns the token in its cookie: the console takes no token of the API.
 * @param {string} address
 * @param {{ email: string, password: string }} person
 */
async function signIn(address, { email, password }) {
  const response = await fetch(`${address}/console/session/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-by': 'console' },
    body: JSON.stringify({ email, password }),
  })
  const token = /^msgctl=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '')?.[1]
  if (token === undefined) throw new Error(`the console responded ${response.status}: ${await response.text()}`)
  return token
}

/**
 * Makes an organization with a linked number. Returns the token of its owner in the console and the id of the number.
 * @param {string} address
 */
async function prepare(address) {
  /** @param {string} method @param {string} path @param {object} [body] @param {string} [token] */
  const call = async (method, path, body, token) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = /** @type {Answer} */ (await response.json())
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  const owner = { name: 'Bench', email: 'bench@example.com', password: 'a long password', organizationName: 'Bench' }
  const products = ['notify', 'developer', 'connect']
  const { token } = await call('POST', '/auth/sign-up', { ...owner, products })
  const { session } = await call('POST', '/session', { label: 'Bench' }, token)
  for (let n = 0; n < 100; n += 1) {
    const { sessions } = await call('GET', '/session/list', undefined, token)
    if (sessions[0].connected) return { token: await signIn(address, owner), containerId: session.id }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the number was not connected')
}

/** @param {Console} service */
async function measure(service) {
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    await open(browser, service, false)
    /** @type {[where: string, isSlow: boolean, most: number][]} */
    const situations = [
      ['on this machine', false, 700],
      ['on a slow telephone', true, 2500],
    ]
    for (const [where, isSlow, most] of situations) {
      const times = []
      for (let n = 0; n < rounds; n += 1) times.push(await open(browser, service, isSlow))
      for (const name of Object.keys(measures)) {
        const { middle } = medianWithInterval(times.map((one) => one[name] ?? Number.NaN))
        record(`${name} ${where}`, middle, { unit: 'ms', digits: 0, ...(name === 'shell' && { atMost: most }) })
      }
    }
    const context = await browser.newContext()
    await context.addCookies([{ name: 'msgctl', value: service.token, url: service.address, httpOnly: true }])
    const page = await context.newPage()
    await page.goto(`${service.address}/console/inbox`)
    await page.locator('.live[data-state=live]').waitFor()
    const times = []
    for (let n = 0; n < rounds; n += 1) times.push(await arrive(page, service, n))
    record('a message of a person, until the inbox shows it', medianWithInterval(times).middle, {
      unit: 'ms',
      digits: 0,
      atMost: 2000,
    })
  } finally {
    await browser.close()
  }
}

if (executablePath === undefined)
  recordNotMeasured('the console in a browser', 'no Chromium was found: set CHROMIUM to its path')
else {
  await withService({ SIM_SPEED: '0', SIM_AUTOLINK: '1' }, async ({ environment }) => {
    const main = new URL('../../packages/server/dist/main.js', import.meta.url)
    const control = { SIM_CONTROL: '1', SIM_TOKEN: simToken, SIGNUP: 'open' }
    const api = await startProgram(main, {
      ...environment,
      ...control,
      PORT: '0',
      SERVICES: 'api',
      LOG_LEVEL: 'info',
    })
    try {
      await measure({ address: api.address, ...(await prepare(api.address)) })
    } finally {
      await api.stop()
    }
  })
}
