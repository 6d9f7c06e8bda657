// What a call of a tool adds to the route behind it, over HTTP, in pairs within one run; and what the list of tools
// takes.
import { cpuMs } from './support/cpu.mjs'
import { organizationsWithKeys, record, withService } from './support/harness.mjs'
import { startProgram } from './support/programs.mjs'
import { medianWithInterval } from './timing/paired.mjs'

/** An AI client may make 120 requests a minute, so many keys call. */
const organizations = 30
const pairsEach = process.env.BENCH_BRIEF ? 12 : 30
const listsEach = 10
const cpuRounds = 4
const cpuCallsEach = 5

const oneNumber = { tool: 'list_numbers', route: '/session/list', args: {} }
const pairs = [oneNumber, { tool: 'find_chats', route: '/chats?limit=20', args: { limit: 20 } }]

/** @param {string} address @param {string} key */
function openClient(address, key) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  /** @param {string} url @param {RequestInit} init */
  async function timed(url, init) {
    const began = performance.now()
    const response = await fetch(url, init)
    const text = await response.text()
    const took = performance.now() - began
    if (!response.ok || text.includes('"isError":true')) throw new Error(`${url}: ${response.status} ${text}`)
    return took
  }
  /** @param {string} method @param {object} params */
  const rpc = (method, params) =>
    timed(`${address}/api/v1/mcp`, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  return {
    /** @param {string} path */
    route: (path) => timed(`${address}/api/v1${path}`, { headers }),
    /** @param {string} name @param {object} args */
    tool: (name, args) => rpc('tools/call', { name, arguments: args }),
    list: () => rpc('tools/list', {}),
  }
}

/** @typedef {ReturnType<typeof openClient>} McpClient */

/**
 * Records what a tool adds to the CPU of its route, which depends little on what else the machine does.
 * @param {McpClient[]} clients
 */
async function recordCpu(clients) {
  const { tool, route, args } = oneNumber
  const used = { route: 0, tool: 0 }
  /** @type {[name: keyof typeof used, call: (client: McpClient) => Promise<number>][]} */
  const calls = [
    ['route', (client) => client.route(route)],
    ['tool', (client) => client.tool(tool, args)],
  ]
  for (let round = 0; round < cpuRounds; round += 1) {
    for (const [name, call] of calls) {
      const before = cpuMs()
      if (before === null) return
      for (const client of clients) for (let n = 0; n < cpuCallsEach; n += 1) await call(client)
      used[name] += ((cpuMs() ?? before) - before) / (clients.length * cpuCallsEach * cpuRounds)
    }
  }
  const what = `CPU of ${tool}, Postgres and caller included, over ${used.route.toFixed(2)} ms of its route`
  record(what, used.tool - used.route, { unit: 'ms', digits: 2 })
}

await withService({ SIM_SPEED: '0', SIM_AUTOLINK: '1' }, async (harness) => {
  const made = await organizationsWithKeys(harness, organizations)
  await harness.worker.stop()
  const main = new URL('../../packages/server/dist/main.js', import.meta.url)
  const api = await startProgram(main, { ...harness.environment, PORT: '0', LOG_LEVEL: 'info', SERVICES: 'api' })
  try {
    const clients = made.map(({ apiKey }) => openClient(api.address, apiKey))
    // The protocol's library is loaded at the first call.
    for (const client of clients.slice(0, 3)) await client.list()
    for (const { tool, route, args } of pairs) {
      const added = []
      const routes = []
      for (const [n, client] of clients.entries()) {
        for (let pair = 0; pair < pairsEach; pair += 1) {
          const callRoute = () => client.route(route)
          const callTool = () => client.tool(tool, args)
          const toolFirst = (n + pair) % 2 === 0
          const [first, second] = toolFirst ? [callTool, callRoute] : [callRoute, callTool]
          const [tookFirst, tookSecond] = [await first(), await second()]
          const [tookTool, tookRoute] = toolFirst ? [tookFirst, tookSecond] : [tookSecond, tookFirst]
          added.push(tookTool - tookRoute)
          routes.push(tookRoute)
        }
      }
      const { middle, low, high } = medianWithInterval(added)
      const routeMs = medianWithInterval(routes).middle.toFixed(2)
      const interval = `between ${low.toFixed(2)} and ${high.toFixed(2)} ms`
      record(`${tool} over ${routeMs} ms of its route, ${interval}`, middle, { unit: 'ms', digits: 2, atMost: 3 })
    }
    await recordCpu(clients)
    const lists = []
    for (const client of clients) for (let n = 0; n < listsEach; n += 1) lists.push(await client.list())
    record('tools/list', medianWithInterval(lists).middle, { unit: 'ms', digits: 2, atMost: 10 })
  } finally {
    await api.stop()
  }
})
