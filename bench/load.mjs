// A cheap source of requests: keep-alive connections of undici, as many at a time as told, and no retry.
import { createRequire } from 'node:module'

const { Pool } = createRequire(new URL('../packages/server/package.json', import.meta.url))('undici')

/**
 * Posts `count` requests, `connections` at a time; `request(n)` answers the path, headers and body of the nth. Answers requests a second. Throws when an answer
 * has another status than 201, because a refused request costs less than a done one.
 */
export async function postMany(address, { count, connections = 32, request }) {
  const pool = new Pool(address, { connections, pipelining: 1 })
  let next = 0
  async function keepPosting() {
    while (next < count) {
      const { path, headers, body } = request(next++)
      const answer = await pool.request({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      const answered = await answer.body.text()
      if (answer.statusCode !== 201) throw new Error(`${path} was answered ${answer.statusCode}: ${answered}`)
    }
  }
  const began = performance.now()
  try {
    await Promise.all(Array.from({ length: connections }, keepPosting))
    return count / ((performance.now() - began) / 1000)
  } finally {
    await pool.close()
  }
}
