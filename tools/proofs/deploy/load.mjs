// A steady load of one organization, whose failures are counted.
import { clientOf } from './service.mjs'

/** A quarter of the requests are texts: an organization may make 300 changes a minute. */
const everyMs = 60

/**
 * Makes a request each 60 ms until it is stopped, and counts what did not succeed.
 *
 * @param {string} address
 * @param {string} apiKey
 */
export function startLoad(address, apiKey) {
  const client = clientOf(address, apiKey)
  /** @type {string[]} */
  const failures = []
  const running = new Set()
  let made = 0
  const timer = setInterval(() => {
    made += 1
    const request =
      made % 4 !== 0 ? client.account.me() : client.alert.send({ phone: '12025553000', message: `load ${made}` })
    const done = request
      .catch((error) =>
        failures.push(`${error.status ?? ''} ${error.code ?? ''} ${error.message} ${error.requestId ?? ''}`),
      )
      .finally(() => running.delete(done))
    running.add(done)
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      return { made, failures }
    },
  }
}
