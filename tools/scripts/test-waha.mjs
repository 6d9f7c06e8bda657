// npm run test:waha [-- --engine NOWEB] [files]: the server's tests of sending and receiving, over the driver for WAHA and a fake server.
import { parseArgs } from 'node:util'
import { run, tool } from './process.mjs'

const { values, positionals } = parseArgs({
  options: { engine: { type: 'string', default: 'GOWS' } },
  allowPositionals: true,
})
const networks = { GOWS: 'waha', NOWEB: 'waha-noweb' }
if (!Object.hasOwn(networks, values.engine)) throw new Error(`--engine must be GOWS or NOWEB, not ${values.engine}`)

const folders = [
  'alert',
  'campaigns',
  'chats',
  'inbound',
  'media',
  'messages',
  'numbers',
  'otp',
  'recipients',
  'reminders',
]

/** Tests that name the simulator, by a part of their name, each with the reason. */
const leftOut = {
  'unreachable: each request is sent at most once': 'a WAHA server that breaks a connection leaves the outcome unknown',
  'send-location with an address': 'WAHA has one line for a place',
}

const escaped = Object.keys(leftOut).map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
const files = positionals.length > 0 ? positionals : folders.map((folder) => `packages/server/src/${folder}`)
process.exitCode = await run(
  tool('vitest'),
  ['run', '--project', 'server', '-t', `^(?!.*(?:${escaped.join('|')}))`, ...files],
  { env: { ...process.env, TEST_GATEWAY: networks[values.engine] } },
)
