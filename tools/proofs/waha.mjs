// npm run proof -- waha [--engine NOWEB] [files]: the server's tests of sending and receiving, over the driver for WAHA
// and a fake server.
import { parseArgs } from 'node:util'
import { run, tool } from '../scripts/process.mjs'
import { featureFolders } from './feature-folders.mjs'

const { values, positionals } = parseArgs({
  options: { engine: { type: 'string', default: 'GOWS' } },
  allowPositionals: true,
})
const { engine } = values
if (engine !== 'GOWS' && engine !== 'NOWEB') throw new Error(`--engine must be GOWS or NOWEB, not ${engine}`)
const networks = { GOWS: 'waha', NOWEB: 'waha-noweb' }

/** Tests that name the simulator, by a part of their name, each with the reason. */
const leftOut = {
  'unreachable: each request is sent at most once': 'a WAHA server that breaks a connection leaves the outcome unknown',
  '(unreachable) counts in no window': 'as above',
  'send-location with an add': 'WAHA has one line for a place',
  'is waited for as long as the network takes': 'the fake server does not wait as the simulator does',
  'go through each state once': 'a response of WAHA names whole seconds, so webhooks of its second count as newer',
  'as long as the network says': 'WAHA does not say how long an account is restricted',
  'GET /session/status responds with the full record': 'names the simulator as its engine',
  'whose host is gone': 'a host of the simulator fails for one number, a WAHA server for all of its numbers',
  'did not reach the network': 'as above',
  'while the host is down': 'as above',
  'a host that is down': 'as above',
  '..0195, whose host goes down': 'as above',
  '..0191, which logs it out': 'the simulator shows the next QR by itself, a WAHA server after it was started again',
  'linked to another phone': 'as above',
  'a hold ends when': 'as above',
  'POST /session/:containerId/release': 'as above',
  '..0190, which drops': 'counts the reports of the simulator',
  '..0194, which flaps': 'as above',
  'stops counting as connected when a send finds it down': 'a WAHA server gives no reasons; they follow from webhooks',
  'attributes the logout to the user': 'a WAHA server starts a session again after its logout',
  'can be started again by a person': 'names a final state that WAHA does not report',
  'reconnected once and fails the second time':
    'names a fault of the simulator, which responds and acknowledges nothing',
}

/** The same over NOWEB, which acknowledges a send by a webhook. */
const leftOutOverNoweb = {
  'left alone when the network took anything since': 'the test runs no worker, which would receive the acknowledgement',
  'left alone when the network takes what no phone receives': 'as above',
  '(0124) gets it at once': 'receipts of this person overtake the response, and so may overtake the acknowledgement',
}

const names = Object.keys(engine === 'NOWEB' ? { ...leftOut, ...leftOutOverNoweb } : leftOut)
const escaped = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
const files = positionals.length > 0 ? positionals : featureFolders
process.exitCode = await run(
  tool('vitest'),
  ['run', '--project', 'service', '-t', `^(?!.*(?:${escaped.join('|')}))`, ...files],
  { env: { ...process.env, TEST_GATEWAY: networks[engine] } },
)
