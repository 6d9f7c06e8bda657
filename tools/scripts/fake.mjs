// npm run fake -- waha [--port N --engine GOWS|NOWEB]: a server that speaks WAHA's HTTP, with simulated phones behind
// it.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build, buildTestingOfServer } from './build.mjs'
import { root, stopWithParent } from './process.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: '3001' }, engine: { type: 'string', default: 'GOWS' } },
})
if (positionals.join() !== 'waha') throw new Error('Usage: npm run fake -- waha [--port N] [--engine GOWS|NOWEB]')
const port = Number(values.port)
const { engine } = values
if (engine !== 'GOWS' && engine !== 'NOWEB') throw new Error(`--engine must be GOWS or NOWEB, not ${engine}`)
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
