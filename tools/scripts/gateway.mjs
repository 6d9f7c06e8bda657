// npm run gateway [-- FILTER...]: installs the gateway host from its lockfile, compiles it, and runs its tests.
import path from 'node:path'
import { build } from './build.mjs'
import { hostFolder, prepareGatewayHost } from './gateway-host.mjs'
import { install } from './install.mjs'
import { run, tool } from './process.mjs'

const args = process.argv.slice(2)
try {
  await install()
  await build()
  await prepareGatewayHost()
  process.exitCode = await run(tool('vitest'), ['run', '--config', path.join(hostFolder, 'vitest.config.ts'), ...args])
} catch (error) {
  console.error(error instanceof Error && error.expected ? error.message : error)
  process.exitCode = 1
}
