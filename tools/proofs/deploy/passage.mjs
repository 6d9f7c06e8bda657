// What a proxy must let pass as it is: event streams, frame by frame, and bodies larger than its usual limit.
import { refusal } from '../../scripts/process.mjs'
import { clientOf } from './service.mjs'

/** @import { MessagingClient } from '@msgctl/client' */

const firstFrameWithinMs = 2000
const eventWithinMs = 10_000
/** A campaign of 2 MB: nginx refuses bodies above 1 MiB by default. */
const people = { count: 8000, characters: 220 }

const largeName = 'Large'
const streamed = '12025553001'

/**
 * Returns what {@link passThrough} stored, as the service responds with it.
 *
 * @param {string} address
 * @param {string} apiKey
 */
export async function readStored(address, apiKey) {
  const client = clientOf(address, apiKey)
  const { messages } = await client.messages.list({ recipient: streamed })
  const { campaigns } = await client.campaigns.list()
  const large = campaigns.find(({ name }) => name === largeName)
  if (large === undefined) throw refusal('The large campaign is not stored')
  const { recipients } = await client.campaigns.recipients({ id: large.id })
  return JSON.stringify([
    messages.map(({ id, content, createdAt }) => ({ id, content, createdAt })),
    recipients.map(({ phone, status }) => ({ phone, status })),
  ])
}

/**
 * Reads an event stream and creates a large campaign through a proxy. Returns what was seen.
 *
 * @param {string} address
 * @param {string} apiKey
 */
export async function passThrough(address, apiKey) {
  const client = clientOf(address, apiKey)
  const firstFrameMs = await readStream(address, apiKey, client)
  const filler = 'x'.repeat(people.characters)
  const recipients = Array.from({ length: people.count }, (_, n) => ({
    phone: `1202${5_000_000 + n}`,
    variables: { note: filler },
  }))
  const bytes = JSON.stringify(recipients).length
  await client.campaigns.create({ name: largeName, template: '{{note}}', recipients })
  return `first frame ${firstFrameMs} ms, ${(bytes / 1e6).toFixed(1)} MB accepted`
}

/**
 * Returns after how many milliseconds the first frame arrived. Throws unless an event follows.
 *
 * @param {string} address
 * @param {string} apiKey
 * @param {MessagingClient} client
 */
async function readStream(address, apiKey, client) {
  const leaving = new AbortController()
  const begun = performance.now()
  const response = await fetch(`${address}/api/v1/events/stream`, {
    headers: { 'x-api-key': apiKey, accept: 'text/event-stream' },
    signal: leaving.signal,
  })
  if (response.body === null) throw refusal('The stream has no body')
  const frames = response.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  try {
    await within(firstFrameWithinMs, 'a first frame', frames.next())
    const firstFrameMs = Math.round(performance.now() - begun)
    await client.alert.send({ phone: streamed, message: 'seen in the stream' })
    await within(eventWithinMs, 'an event', untilEvent(frames))
    return firstFrameMs
  } finally {
    leaving.abort()
  }
}

/** @param {AsyncIterator<string>} frames */
async function untilEvent(frames) {
  for (let text = ''; !text.includes('"event":"message.'); ) {
    const { value, done } = await frames.next()
    if (done) throw refusal('The stream ended before an event')
    text += value
  }
}

/**
 * @template T
 * @param {number} ms
 * @param {string} what
 * @param {Promise<T>} promise
 */
async function within(ms, what, promise) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  /** @type {Promise<never>} */
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(refusal(`The proxy did not pass ${what} within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
