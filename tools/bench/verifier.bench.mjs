// How long it takes to verify a delivery of 1 kB, against standardwebhooks in the same run, and how large the verifier
// is.

import { verify } from '@msgctl/webhook-verifier'
import { eventOf, signedDelivery, testSecret } from '@msgctl/webhook-verifier/testing'
import { Webhook } from 'standardwebhooks'
import { measureRounds, median, medianRatio, record } from './results/report.mjs'
import { bundleSize } from './support/bundled.mjs'

/**
 * Verifications of which the time is taken together, and how many such times there are in a round: some tenths of a
 * second.
 */
const times = 320
const slicesEach = { ours: 150, alone: 50, peer: 100 }

const empty = JSON.stringify(eventOf('message.inbound', { body: '' })).length
const { body, headers } = await signedDelivery(eventOf('message.inbound', { body: 'x'.repeat(1_024 - empty) }))
const bytes = Buffer.from(body)

const peer = new Webhook(Buffer.from(testSecret).toString('base64'))
const now = new Date()
const peerHeaders = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': peer.sign('msg_1', now, body),
}

const ours = () => verify(bytes, headers, testSecret)
const atOnce = 32
const contestants = {
  ours: () => Promise.all(Array.from({ length: atOnce }, ours)),
  alone: ours,
  peer: () => peer.verify(bytes, peerHeaders),
}

/** @typedef {keyof typeof contestants} Name */

/**
 * Microseconds of one verification. Web Crypto computes on another thread, so ours can overlap.
 * @param {Name} name
 */
async function microseconds(name) {
  const call = contestants[name]
  const start = performance.now()
  const calls = name === 'ours' ? times / atOnce : times
  for (let count = 0; count < calls; count += 1) await call()
  return ((performance.now() - start) * 1_000) / times
}

/**
 * The fastest of a round: what else the machine does can only add to a time.
 * @param {Name} name
 */
async function fastest(name) {
  let least = Number.POSITIVE_INFINITY
  for (let slice = 0; slice < slicesEach[name]; slice += 1) least = Math.min(least, await microseconds(name))
  return least
}

const found = await measureRounds(
  { ours: () => fastest('ours'), alone: () => fastest('alone'), peer: () => fastest('peer') },
  5,
)
record(`verify 1 kB (${bytes.length} bytes), ${atOnce} at once`, median(found.ours), { unit: 'µs' })
record('verify 1 kB, one after the other', median(found.alone), { unit: 'µs' })
const against = `verify 1 kB, ${atOnce} at once, against standardwebhooks with ${median(found.peer).toFixed(1)} µs`
record(against, medianRatio(found.ours, found.peer), { unit: 'x', digits: 3, atMost: 1 })
record('the core, minified', await bundleSize('@msgctl/webhook-verifier'), {
  unit: 'bytes gzip',
  digits: 0,
  atMost: 2_600,
})
