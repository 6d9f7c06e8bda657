// npm run proof -- direct [files]: the server's tests of sending and receiving, over gateway hosts and a test network.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from '../scripts/build.mjs'
import { hostFolder, prepareGatewayHost } from '../scripts/gateway-host.mjs'
import { install } from '../scripts/install.mjs'
import { run, tool } from '../scripts/process.mjs'
import { featureFolders } from './feature-folders.mjs'

/** Tests that name the simulator, by a part of their name, each with the reason. */
const leftOut = {
  'whose host is gone': 'session calls are rows that a host reads later, so they succeed while no host runs',
  'did not reach the network': 'as above',
  'while the host is down': 'as above',
  'a host that is down': 'as above',
  'when the network cannot be reached': 'as above',
  'when it cannot reach the network': 'as above',
  'linked with the phone ..019': 'names a time after which the simulator does something to a number',
  'that the phone ..019': 'as above',
  'flaps twenty times in a minute': 'a host connects again in real time',
  'when no supervisor ran for an hour': 'as above',
  'changes after a minute': 'the network changes its QR in real time',
  'the phone refused the code': 'phones of the test network refuse no code',
  'attributes the logout to the user': 'the state after a logout is that of the next QR, which has no reason',
  'adds numbers while no host runs': 'adds hosts of its own',
  'the driver takes everything and the network is silent': 'the host waits for the acknowledgement of each message',
  'session: each request is sent at most once':
    'a number that loses its connection here is one that the service refuses',
  '(session) counts in no window': 'as above',
  'when the network cannot be asked': 'as above',
  '0140 is one person with two ids': 'the network shares its address book when a phone is linked, not on request',
  'as long as the network says': 'the network does not say how long an account is restricted',
  'is waited for as long as the network takes': 'the test network has one speed for all services',
  'the number that sent it to be connected': 'writes into the tables of the simulator',
  'its caption, which the list shows': 'names the file of a picture, which the network does not carry',
}

await install()
await build()
await prepareGatewayHost()

const names = Object.keys(leftOut).map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
const filter = names.length > 0 ? ['-t', `^(?!.*(?:${names.join('|')}))`] : []
const given = process.argv.slice(2)
const files = given.length > 0 ? given : featureFolders
const evidence = mkdtempSync(path.join(tmpdir(), 'msgctl-evidence-'))
try {
  // Each file has a host and a network of its own beside it.
  const code = await run(tool('vitest'), ['run', '--project', 'service', '--maxWorkers=2', ...filter, ...files], {
    env: { ...process.env, TEST_GATEWAY: 'direct', TEST_EVIDENCE: evidence },
  })
  const leaks = await run(process.execPath, [path.join(hostFolder, 'dist/test/find-leaks.js'), evidence])
  process.exitCode = code || leaks
} finally {
  rmSync(evidence, { recursive: true })
}
