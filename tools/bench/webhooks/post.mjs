// What every other contestant posts: the bodies of ours, and a signature of the same cost.
import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { eventData } from './ours.mjs'

const server = new URL('../../../packages/server/package.json', import.meta.url)
/** @type {typeof import('../../../packages/server/node_modules/undici/types/index.js')} */
const { Agent, request } = createRequire(server)('undici')

export const connections = 64
const secret = 'ab'.repeat(32)

/**
 * Returns the bodies of so many events.
 * @param {number} count
 */
export function bodiesOf(count) {
  return Array.from({ length: count }, (_, n) =>
    JSON.stringify({ event: 'message.delivered', data: eventData(n), timestamp: new Date().toISOString() }),
  )
}

/**
 * Runs `work` with a function that posts a body and returns the status, and returns how many of `count` were posted in
 * a second.
 * @param {number} count
 * @param {(post: (url: string, body: string, signed?: boolean) => Promise<number>) => Promise<unknown>} work
 */
export async function postsPerSecond(count, work) {
  const agent = new Agent({ connections })
  const began = performance.now()
  await work(async (url, body, signed = true) => {
    const headers = { 'content-type': 'application/json', ...(signed && { 'x-service-signature': signatureOf(body) }) }
    const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body })
    await answer.body.dump()
    return answer.statusCode
  })
  const rate = count / ((performance.now() - began) / 1000)
  await agent.close()
  return rate
}

/** @param {string} body */
function signatureOf(body) {
  const t = Math.floor(Date.now() / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
