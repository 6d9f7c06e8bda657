// How large the client is, and how long a program waits for it; how large the webhook verifier is, and how long it
// takes to verify a delivery of 1 kB, against standardwebhooks in the same run.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { verify } from '@msgctl/webhook-verifier'
import { eventOf, signedDelivery, testSecret } from '@msgctl/webhook-verifier/testing'
import { Webhook } from 'standardwebhooks'
import { measureRounds, median, medianRatio, record } from './results/report.mjs'
import { bundled, bundleSize } from './support/bundled.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-bench-client-'))
const bundle = pathToFileURL(path.join(folder, 'bundle.mjs'))
writeFileSync(bundle, await bundled('@msgctl/client'))

/**
 * Runs a program of one line and returns the number it prints.
 * @param {string} program
 */
async function numberFrom(program) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return Number(text)
}

/**
 * Milliseconds that the import of a module takes in a process of its own.
 * @param {string | URL} module
 */
function importTime(module) {
  const url = module instanceof URL ? module.href : import.meta.resolve(module)
  return numberFrom(`
    const start = performance.now()
    await import(${JSON.stringify(url)})
    console.log(performance.now() - start)`)
}

/**
 * In a round each is imported so many times. What else the machine does can only add to a time, so the fastest counts.
 */
const importsEach = 3

/** @param {string | URL} module */
async function fastest(module) {
  /** @type {number[]} */
  const times = []
  for (let n = 0; n < importsEach; n += 1) times.push(await importTime(module))
  return Math.min(...times)
}

const found = await measureRounds(
  {
    ours: () => fastest(bundle),
    unbundled: () => fastest('@msgctl/client'),
    stripe: () => fastest('stripe'),
  },
  9,
)
rmSync(folder, { recursive: true })

record('import, as published', median(found.ours), { unit: 'ms', atMost: 15 })
record('import, unbundled', median(found.unbundled), { unit: 'ms' })
const peer = `stripe-node with ${median(found.stripe).toFixed(0)} ms`
record(`import, against ${peer}`, medianRatio(found.ours, found.stripe), { unit: 'x', digits: 3 })
record('all of it, minified', await bundleSize('@msgctl/client'), { unit: 'bytes gzip', digits: 0, atMost: 12_500 })

/**
 * Verifications of which the time is taken together, and how many such times there are in a round: some tenths of a
 * second.
 */
const verifications = 320
const slicesEach = { ours: 150, alone: 50, peer: 100 }

const empty = JSON.stringify(eventOf('message.inbound', { body: '' })).length
const { body, headers } = await signedDelivery(eventOf('message.inbound', { body: 'x'.repeat(1_024 - empty) }))
const bytes = Buffer.from(body)

const peerVerifier = new Webhook(Buffer.from(testSecret).toString('base64'))
const now = new Date()
const peerHeaders = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': peerVerifier.sign('msg_1', now, body),
}

const ours = () => verify(bytes, headers, testSecret)
const atOnce = 32
const contestants = {
  ours: () => Promise.all(Array.from({ length: atOnce }, ours)),
  alone: ours,
  peer: () => peerVerifier.verify(bytes, peerHeaders),
}

/** @typedef {keyof typeof contestants} Name */

/**
 * Microseconds of one verification. Web Crypto computes on another thread, so ours can overlap.
 * @param {Name} name
 */
async function microseconds(name) {
  const call = contestants[name]
  const start = performance.now()
  const calls = name === 'ours' ? verifications / atOnce : verifications
  for (let count = 0; count < calls; count += 1) await call()
  return ((performance.now() - start) * 1_000) / verifications
}

/**
 * The fastest of a round: what else the machine does can only add to a time.
 * @param {Name} name
 */
async function fastestOf(name) {
  let least = Number.POSITIVE_INFINITY
  for (let slice = 0; slice < slicesEach[name]; slice += 1) least = Math.min(least, await microseconds(name))
  return least
}

const checked = await measureRounds(
  { ours: () => fastestOf('ours'), alone: () => fastestOf('alone'), peer: () => fastestOf('peer') },
  5,
)
record(`verify 1 kB (${bytes.length} bytes), ${atOnce} at once`, median(checked.ours), { unit: 'µs' })
record('verify 1 kB, one after the other', median(checked.alone), { unit: 'µs' })
const against = `verify 1 kB, ${atOnce} at once, against standardwebhooks with ${median(checked.peer).toFixed(1)} µs`
record(against, medianRatio(checked.ours, checked.peer), { unit: 'x', digits: 3, atMost: 1 })
record('the core, minified', await bundleSize('@msgctl/webhook-verifier'), {
  unit: 'bytes gzip',
  digits: 0,
  atMost: 2_650,
})
