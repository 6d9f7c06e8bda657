// The service that is judged, with a database of its own, and the people and keys that the judges use.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/process.mjs'

/** @import { AddressInfo } from 'node:net' */

const execute = promisify(execFile)

/**
 * Starts the service in a folder. Returns its address, its key, and what stops it.
 *
 * @param {string} folder
 */
export async function startService(folder) {
  await execute(process.execPath, [path.join(root, 'tools/scripts/build.mjs')])
  const program = path.join(root, 'packages/server/bin/msgctl-server.mjs')
  const env = { PATH: process.env.PATH, HOME: folder, PORT: '0', DATA_DIR: path.join(folder, 'data') }
  const child = spawn(process.execPath, [program, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8')
  for await (const chunk of child.stdout) {
    text += chunk
    const address = /listens at (\S+)/.exec(text)?.[1]
    const key = /Key\s+(msk_\w+)/.exec(text)?.[1]
    if (address && key) {
      child.stdout.destroy()
      return { address, key, stop: () => child.kill('SIGTERM') }
    }
  }
  throw new Error(`the service did not start: ${text}`)
}

/**
 * Starts a proxy that adds a key to each request, since the suite cannot send one. It uses several keys, one after the
 * other.
 *
 * @param {{ address: string, keys: string[] }} service
 */
export async function startProxy({ address, keys }) {
  let requests = 0
  const server = createServer((incoming, outgoing) => {
    requests += 1
    const headers = { ...incoming.headers, 'x-api-key': keys[requests % keys.length] }
    const passed = request(`${address}${incoming.url}`, { method: incoming.method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {AddressInfo} */ (server.address())
  return { url: `http://127.0.0.1:${port}/api/v1/mcp`, stop: () => server.close() }
}

/**
 * Calls a route of the service. Throws what is not a success.
 *
 * @param {string} address
 * @param {string} route
 * @param {{ headers?: Record<string, string>, body?: object }} [options]
 */
export async function call(address, route, { headers = {}, body } = {}) {
  const [method = '', where] = route.split(' ')
  const response = await fetch(`${address}/api/v1${where}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${route}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

let people = 0

/**
 * Signs a person up with an organization of their own. Returns their session and an account key.
 *
 * @param {string} address
 */
export async function makePerson(address) {
  people += 1
  const email = `judge-${people}@example.com`
  const body = { name: 'Judge', email, password: 'a long password', organizationName: `Judges ${people}` }
  const person = await call(address, 'POST /auth/sign-up', { body })
  const { token } = /** @type {{ token: string }} */ (person)
  const key = await call(address, 'POST /me/generate-key', { headers: { authorization: `Bearer ${token}` } })
  return { token, apiKey: /** @type {{ apiKey: string }} */ (key).apiKey }
}
