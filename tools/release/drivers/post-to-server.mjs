// Starts a program that listens, at a port that is free, and posts one delivery to it.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { eventOf, signedDelivery, testSecret } from '@msgctl/webhook-verifier/testing'

/** @import { AddressInfo } from 'node:net' */

const probe = createServer().listen(0, '127.0.0.1')
await once(probe, 'listening')
const { port } = /** @type {AddressInfo} */ (probe.address())
probe.close()
await once(probe, 'close')

Object.assign(process.env, { PORT: String(port), WEBHOOK_SECRET: testSecret })
await import(pathToFileURL(process.argv[2] ?? '').href)
const { body, headers } = await signedDelivery(eventOf('message.failed'))

/**
 * @param {number} triesLeft
 * @returns {Promise<Response>}
 */
async function post(triesLeft) {
  try {
    return await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })
  } catch (error) {
    if (triesLeft === 0) throw error
    await pause(50)
    return post(triesLeft - 1)
  }
}

console.log((await post(100)).status)
process.exit()
