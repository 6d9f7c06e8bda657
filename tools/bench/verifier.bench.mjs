// How long it takes to verify a delivery of 1 kB, against standardwebhooks in the same run, and how large the verifier is.

import { verify } from '@msgctl/webhook-verifier'
import { eventOf, signedDelivery, testSecret } from '@msgctl/webhook-verifier/testing'
import { Webhook } from 'standardwebhooks'
import { bundleSize } from './bundled.mjs'
import { record } from './report.mjs'

const rounds = 120
const times = 320

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

/** Microseconds of one verification, over some of them. Web Crypto computes on another thread, so ours can overlap. */
async function microseconds(name, call) {
  const start = performance.now()
  const calls = name === 'ours' ? times / atOnce : times
  for (let count = 0; count < calls; count += 1) await call()
  return ((performance.now() - start) * 1_000) / times
}

// The fastest round of each, in turns: what else the machine does can only add to a time. The first round is a warm-up.
const fastest = Object.fromEntries(Object.keys(contestants).map((name) => [name, Number.POSITIVE_INFINITY]))
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, call] of Object.entries(contestants)) {
    const took = await microseconds(name, call)
    if (round > 0) fastest[name] = Math.min(fastest[name], took)
  }
}
record(`verify 1 kB (${bytes.length} bytes), ${atOnce} at once`, fastest.ours, { unit: 'µs' })
record('verify 1 kB, one after the other', fastest.alone, { unit: 'µs' })
const against = `verify 1 kB, ${atOnce} at once, against standardwebhooks with ${fastest.peer.toFixed(1)} µs`
record(against, fastest.ours / fastest.peer, { unit: 'x', digits: 2, atMost: 1 })
record('the core, minified', await bundleSize('@msgctl/webhook-verifier'), {
  unit: 'bytes gzip',
  digits: 0,
  atMost: 2_500,
})
