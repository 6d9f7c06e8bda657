// Installs the dependencies, when they are not what the lockfile asks for.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { refusal, root, run } from './process.mjs'

/**
 * Makes node_modules of `folder` what its lockfile says. What was installed is written down there, so that the next
 * call takes no time and needs no registry. Throws when Node is too old or the installation fails.
 *
 * @param {string} [folder]
 * @param {string[]} [options]
 */
export async function install(folder = root, options = []) {
  const { engines, packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  requireNode(engines.node)
  const stampFile = path.join(folder, 'node_modules', '.installed')
  const wanted = stamp(folder)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  const quiet = { npm_config_loglevel: 'error', npm_config_update_notifier: 'false' }
  // Where npx runs this very program, that names the package to run it with.
  const { npm_config_package: _, ...env } = process.env
  const frozen = ['--frozen-lockfile', '--reporter=append-only', '--config.confirmModulesPurge=false']
  const exitCode = await run('npx', ['--yes', packageManager, 'install', ...frozen, ...options], {
    env: { ...env, ...quiet },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (exitCode !== 0) {
    throw refusal(
      'Installing the dependencies failed; the lines above say why. Without a connection to the npm registry ' +
        'it cannot work.',
    )
  }
  writeFileSync(stampFile, wanted)
}

/**
 * Packages hold programs of one platform, and a checkout may be carried to another one.
 *
 * @param {string} folder
 */
function stamp(folder) {
  const lockfile = readFileSync(path.join(folder, 'pnpm-lock.yaml'))
  return `${createHash('sha256').update(lockfile).digest('hex')} ${process.platform}-${process.arch}\n`
}

/**
 * `range` has the form '>=20.19.0'.
 *
 * @param {string} range
 */
function requireNode(range) {
  const [wantedMajor = 0, wantedMinor = 0] = range.replace('>=', '').split('.').map(Number)
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return
  throw refusal(`Node ${wantedMajor}.${wantedMinor} or newer is needed; this is ${process.version}.`)
}
