// A test network as a process of its own. Its first line of output says where it listens.
import { startMediaHost } from './media-host.ts'
import { Network } from './network.ts'
import { serveNetwork } from './serve.ts'

// The Signal library writes sessions with their private keys to the console.
for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[name] = () => undefined

const { TEST_NETWORK_PORT, TEST_NETWORK_SPEED, TEST_NETWORK_ADDRESSING } = process.env
const network = new Network({
  speed: Number(TEST_NETWORK_SPEED ?? 1),
  addressing: TEST_NETWORK_ADDRESSING === 'phone' ? 'phone' : 'lid',
})
const media = await startMediaHost(network)
const { url, controlUrl, close } = await serveNetwork(network, Number(TEST_NETWORK_PORT ?? 0))
const root = Buffer.from(network.identity.root.public).toString('hex')
process.stdout.write(`${JSON.stringify({ url, controlUrl, root, certificate: media.certificate })}\n`)
process.once('SIGTERM', () => {
  void Promise.all([close(), media.close()]).then(() => process.exit(0))
})
