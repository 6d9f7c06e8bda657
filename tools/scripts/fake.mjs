// npm run fake -- waha [--port N --engine GOWS|NOWEB]: a server that speaks WAHA's HTTP, with simulated phones behind
// it.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build, buildTestingOfServer } from './build.mjs'
import { root, stopWithParent } from './process.mjs'

const usage = 'Usage: npm run fake -- waha [--port N] [--engine GOWS|NOWEB]'

/** Returns the arguments, or ends with the usage. */
function argumentsOf() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { port: { type: 'string', default: '3001' }, engine: { type: 'string', default: 'GOWS' } },
    })
    const { port, engine } = values
    if (positionals.join() === 'waha' && /^\d+$/.test(port) && (engine === 'GOWS' || engine === 'NOWEB'))
      return /** @type {const} */ ({ port: Number(port), engine })
  } catch {
    // An unknown option, such as --help.
  }
  console.error(usage)
  return process.exit(2)
}

const { port, engine } = argumentsOf()
const key = 'fake-waha-key'
const simToken = 'fake-waha-sim-token'

await build()
await buildTestingOfServer()
// It is there once it is built.
const { startStandAlone } = await import('@msgctl/server/testing/waha/stand-alone')
const folder = path.join(root, '.data', 'fake-waha')
const stop = await startStandAlone({ folder, port, engine, key, simToken, simSpeed: '1' })
console.log(`
A fake WAHA server (${engine}) listens at http://127.0.0.1:${port}. Start the service in another terminal:

  GATEWAY=waha SIM_CONTROL_URL=http://127.0.0.1:${port} SIM_TOKEN=${simToken} npm start

and add the server in a third one:

  WAHA_API_KEY=${key} node packages/server/bin/msgctl-server.mjs waha add http://127.0.0.1:${port}

msgctl sim scan plays the phone. In production, which has no /sim, call the fake server itself:

  curl -X POST -H 'X-Sim-Token: ${simToken}' http://127.0.0.1:${port}/sim/numbers/<containerId>/scan
`)
stopWithParent()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().then(() => process.exit(0)))
