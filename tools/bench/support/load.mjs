// A cheap source of requests: kept connections, a given number at a time, and no retry.
import { openCaller } from './caller.mjs'
import { nthOf } from './harness.mjs'

/** @import { RequestCaller } from './caller.mjs' */

/** @typedef {{ path: string, key: string, body: object, idempotencyKey?: string | undefined }} PostedRequest */

/**
 * Posts `count` requests, `connections` at a time, which are spread over the addresses; `request(n)` returns the path,
 * key and body of the nth, and its idempotencyKey if it has one. Returns requests a second. Throws when an answer has
 * another status than 201, because a refused request costs less than a done one.
 * @param {string | string[]} address
 * @param {{ count: number, connections?: number, request: (n: number) => PostedRequest }} options
 */
export async function postMany(address, { count, connections = 64, request }) {
  const addresses = [address].flat()
  const callers = await Promise.all(Array.from({ length: connections }, (_, n) => openCaller(nthOf(addresses, n))))
  let next = 0
  /** @param {RequestCaller} caller */
  async function keepPosting(caller) {
    while (next < count) {
      const { path, key, body, idempotencyKey } = request(next++)
      const { status, text } = await caller.post(path, key, body, idempotencyKey)
      if (status !== 201) throw new Error(`${path} was answered ${status}: ${text}`)
    }
  }
  const began = performance.now()
  try {
    await Promise.all(callers.map(keepPosting))
    return count / ((performance.now() - began) / 1000)
  } finally {
    for (const caller of callers) caller.end()
  }
}
