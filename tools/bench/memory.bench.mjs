// Memory of an API process and a worker process: idle, and the peak while they send and report ten thousand messages.
import { readFileSync } from 'node:fs'
import { record } from './results/report.mjs'
import { nthOf, organizationsWithKeys, withService } from './support/harness.mjs'
import { postMany } from './support/load.mjs'
import { startProgram } from './support/programs.mjs'

/** @import { Program } from './support/programs.mjs' */

const organizations = 10
const messages = 10_000

await withService({ UNSAFE_DISABLE_PACING: 'true', SIM_SPEED: '0', SIM_AUTOLINK: '1' }, async (harness) => {
  const made = await organizationsWithKeys(harness, organizations)
  await harness.worker.stop()
  const main = new URL('../../packages/server/dist/main.js', import.meta.url)
  const settings = { ...harness.environment, PORT: '0', LOG_LEVEL: 'info' }
  const api = await startProgram(main, { ...settings, SERVICES: 'api' })
  const worker = await startProgram(main, { ...settings, SERVICES: 'worker', METRICS_PORT: '0' })
  try {
    recordMemory(api, worker, 'at rest', { field: 'VmRSS', atMost: 200 })
    await postMany(api.address, {
      count: messages,
      request: (n) => ({
        path: '/api/v1/alert/send',
        key: nthOf(made, n).apiKey,
        body: { phone: `1202556${String(n % 500).padStart(4, '0')}`, message: 'A text of ordinary length.' },
      }),
    })
    for (;;) {
      const { rows } = await harness.db.raw(`select 1 from messages where status in ('queued', 'sending') limit 1`)
      if (rows.length === 0) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    recordMemory(api, worker, `at most, over ${messages} messages`, { field: 'VmHWM', atMost: 400 })
  } finally {
    await Promise.all([api.stop(), worker.stop()])
  }
})

/**
 * @param {Program} api
 * @param {Program} worker
 * @param {string} when
 * @param {{ field: string, atMost: number }} options
 */
function recordMemory(api, worker, when, { field, atMost }) {
  for (const [name, { pid }] of Object.entries({ api, worker })) {
    record(`${name}, ${when}`, residentMegabytes(pid, field), { unit: 'MB', atMost, digits: 0 })
  }
}

/**
 * What the kernel counts as the process's own pages: VmRSS now, VmHWM at most so far. This file is there on Linux.
 * @param {number} pid
 * @param {string} field
 */
function residentMegabytes(pid, field) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(status.match(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm'))?.[1]) / 1024
}
