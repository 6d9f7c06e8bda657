// Memory of an API process and its queries a second with 50 open consoles, each of which follows the overview.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { record } from './results/report.mjs'
import { nthOf, organizationsWithKeys, withService } from './support/harness.mjs'
import { startProgram } from './support/programs.mjs'

/**
 * @import { ClientRequest } from 'node:http'
 * @import { Harness } from './support/harness.mjs'
 * @import { Program } from './support/programs.mjs'
 */

/** @typedef {{ request: ClientRequest, ended: boolean }} Stream */

const consoles = 50
const measuredMs = Number(process.env.CONSOLES_SECONDS ?? (process.env.BENCH_BRIEF ? 15 : 30)) * 1000
const settleMs = 5_000

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-consoles-'))

try {
  await withService({ SIM_SPEED: '0', SIM_AUTOLINK: '1' }, async (harness) => {
    const made = await organizationsWithKeys(harness, consoles)
    const keys = made.map(({ apiKey }) => apiKey)
    const oneKey = nthOf(keys, 0)
    // What is measured is the API processes alone.
    await harness.worker.stop()
    /** @type {[what: string, keys: string[], atMost: number][]} */
    const situations = [
      [`${consoles} consoles of one organization`, keys.map(() => oneKey), 5],
      [`${consoles} consoles of ${consoles} organizations`, keys, 2 * consoles],
    ]
    // Side by side: each situation has a process of its own, which mostly waits.
    const [rest, ...others] = await Promise.all([
      measure(harness, [], 'none'),
      ...situations.map(([, ofConsoles], n) => measure(harness, ofConsoles, String(n))),
    ])
    record('API process without a console', rest.megabytes, { unit: 'MB', digits: 0 })
    record('queries without a console', rest.queries, { unit: '/s', digits: 1 })
    for (const [n, [what, , atMost]] of situations.entries()) {
      const found = nthOf(others, n)
      record(`API process with ${what}`, found.megabytes, { unit: 'MB', atMost: 250, digits: 0 })
      record(`queries with ${what}`, found.queries, { unit: '/s', atMost: atMost + rest.queries, digits: 1 })
    }
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Starts an API process, opens a console for each key, and returns its memory and its queries a second.
 * @param {Harness} harness
 * @param {string[]} keys
 * @param {string} name
 */
async function measure(harness, keys, name) {
  const countFile = path.join(folder, name)
  const main = new URL('../../packages/server/dist/main.js', import.meta.url)
  const counter = new URL('./support/query-counter.mjs', import.meta.url)
  const api = await startProgram(main, {
    ...harness.environment,
    PORT: '0',
    SERVICES: 'api',
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${counter.href}`,
    QUERY_COUNT_FILE: countFile,
  })
  /** @type {Stream[]} */
  const streams = []
  try {
    streams.push(...(await Promise.all(keys.map((key) => openConsole(api.address, key)))))
    await wait(settleMs)
    const before = await countOf(api, countFile)
    const startedAt = performance.now()
    await wait(measuredMs)
    const queries = (await countOf(api, countFile)) - before
    const seconds = (performance.now() - startedAt) / 1000
    if (streams.some(({ ended }) => ended)) throw new Error('a stream ended while it was measured')
    return { megabytes: residentMegabytes(api.pid), queries: queries / seconds }
  } finally {
    for (const { request } of streams) request.destroy()
    await api.stop()
  }
}

/**
 * Does what a console does when it is opened: the page, who is signed in, the charts, and the stream that stays open.
 * @param {string} address
 * @param {string} key
 * @returns {Promise<Stream>}
 */
async function openConsole(address, key) {
  const headers = { 'x-api-key': key }
  for (const place of ['/console/', '/console/session', '/api/v1/stats/hours', '/api/v1/me'])
    await (await fetch(address + place, { headers })).text()
  return new Promise((resolve, reject) => {
    const request = http.get(`${address}/api/v1/overview/stream`, { headers, agent: false }, (response) => {
      const stream = { request, ended: false }
      response.on('error', () => undefined)
      response.once('close', () => {
        stream.ended = true
      })
      response.once('data', () => resolve(stream))
      if (response.statusCode !== 200) reject(new Error(`the stream responded ${response.statusCode}`))
      response.resume()
    })
    request.once('error', reject)
  })
}

/** @param {Program} program @param {string} countFile */
async function countOf({ pid }, countFile) {
  rmSync(countFile, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(countFile)) await wait(20)
  return Number(readFileSync(countFile, 'utf8'))
}

/**
 * What the kernel counts as the process's own pages. This file is there on Linux.
 * @param {number} pid
 */
function residentMegabytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(status.match(/^VmRSS:\s+(\d+) kB$/m)?.[1]) / 1024
}
