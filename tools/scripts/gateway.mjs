// npm run gateway [-- FILTER...]: installs the gateway host from its lockfile, compiles it, and runs its tests.
import path from 'node:path'
import { build } from './build.mjs'
import { install } from './install.mjs'
import { root, run, runQuietly, tool } from './process.mjs'

const folder = path.join(root, 'gateway-host')
const args = process.argv.slice(2)
try {
  await install()
  await build()
  await install(folder, ['--ignore-workspace', '--dir', folder])
  await runQuietly('Compiling the gateway host', tool('tsc'), ['-p', folder])
  process.exitCode = await run(tool('vitest'), ['run', '--config', path.join(folder, 'vitest.config.ts'), ...args])
} catch (error) {
  console.error(error instanceof Error && error.expected ? error.message : error)
  process.exitCode = 1
}
