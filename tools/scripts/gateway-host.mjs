// Installs and compiles the gateway host, which is outside of the workspace.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { buildTestingOfServer } from './build.mjs'
import { install } from './install.mjs'
import { root, runQuietly, tool } from './process.mjs'

export const hostFolder = path.join(root, 'gateway-host')

const notice = `The gateway host uses Baileys and libsignal, which are being installed now. libsignal is licensed under
GPL-3.0: you may use it here as you like, and docs/run/licences.md says what applies when you distribute it.
This is not the official API of the network. Accounts can be restricted or banned: use numbers that you can lose.
`

/**
 * Installs the host from its lockfile and compiles it. Returns the path of its program. Says which licence applies the
 * first time.
 */
export async function prepareGatewayHost() {
  if (!existsSync(path.join(hostFolder, 'node_modules'))) console.log(notice)
  // Not --ignore-workspace: pnpm would ignore the settings of the package, too, and refuse its lockfile.
  await install(hostFolder, ['--dir', hostFolder])
  // Its tests, which are compiled with it, use what those of the server share.
  await buildTestingOfServer()
  await runQuietly('Compiling the gateway host', tool('tsc'), ['-p', hostFolder])
  return path.join(hostFolder, 'dist/src/main.js')
}
