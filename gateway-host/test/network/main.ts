// A test network as a process of its own. Its first line of output says where it listens.
import { startMediaHost } from './media-host.ts'
import { Network } from './network.ts'
import { serveNetwork } from './serve.ts'

// The Signal library writes sessions with their private keys to the console.
for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[name] = () => undefined

const { TEST_NETWORK_PORT, TEST_NETWORK_SPEED, TEST_NETWORK_ADDRESSING, TEST_NETWORK_RULES, TEST_NETWORK_FOR_PEOPLE } =
  process.env
const network = new Network({
  speed: Number(TEST_NETWORK_SPEED ?? 1),
  profile: TEST_NETWORK_RULES === 'lenient' ? 'lenient' : '2026-09',
  addressing: TEST_NETWORK_ADDRESSING === 'phone' ? 'phone' : 'lid',
})
const media = await startMediaHost(network)
const { url, controlUrl, close } = await serveNetwork(network, Number(TEST_NETWORK_PORT ?? 0))
const root = Buffer.from(network.identity.root.public).toString('hex')
const files = network.mediaHost ?? ''
const instructions = `The test network listens at ${controlUrl}. Nothing of it reaches a real network.
Start the service in a second terminal:

  export GATEWAY_NETWORK_URL=${url} GATEWAY_NETWORK_ROOT=${root} GATEWAY_NETWORK_FILES=${files}
  export NODE_EXTRA_CA_CERTS=${media.certificate}
  GATEWAY=direct npm start

and link its number in a third one:

  npx msgctl api GET '/session/qr?format=raw' --jq .qr.text | npm run gateway -- phone scan 15551230001
`
const facts = { url, controlUrl, root, files, certificate: media.certificate }
process.stdout.write(TEST_NETWORK_FOR_PEOPLE ? instructions : `${JSON.stringify(facts)}\n`)
let isStopping = false
const stop = () => {
  if (isStopping) return
  isStopping = true
  void Promise.all([close(), media.close()]).then(() => process.exit(0))
}
// Ctrl-C arrives twice: from the terminal, and from the script above.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
if (process.env.TEST_NETWORK_END_WITH_INPUT) process.stdin.once('end', stop).resume()
