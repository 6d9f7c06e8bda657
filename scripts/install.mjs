// Installs the dependencies, when they are not what the lockfile asks for.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { refusal, root, run } from './process.mjs'

const stampFile = path.join(root, 'node_modules', '.installed')

/**
 * Makes node_modules what the lockfile says. What was installed is written down there, so that the next call takes no time and needs no
 * registry. Throws when Node is too old or the installation fails.
 */
export async function install() {
  const { engines, packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  requireNode(engines.node)
  const wanted = stamp()
  if (installed() === wanted) return
  // npm warns about settings that pnpm's npmrc files hold; they are no concern of whoever types npm start.
  const env = { ...process.env, npm_config_loglevel: 'error', npm_config_update_notifier: 'false' }
  const args = [
    '--yes',
    packageManager,
    'install',
    '--frozen-lockfile',
    '--reporter=append-only',
    '--config.confirmModulesPurge=false',
  ]
  if ((await run('npx', args, { env, stdio: ['ignore', 'inherit', 'inherit'] })) !== 0) {
    throw refusal(
      `Installing the dependencies failed; the lines above say why. Without a connection to the npm registry it cannot work.`,
    )
  }
  writeFileSync(stampFile, wanted)
}

/** Packages hold programs of one platform, and a checkout may be carried to another one. */
function stamp() {
  const lockfile = readFileSync(path.join(root, 'pnpm-lock.yaml'))
  return `${createHash('sha256').update(lockfile).digest('hex')} ${process.platform}-${process.arch}\n`
}

function installed() {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return undefined
  }
}

/** `range` has the form '>=20.19.0'. */
function requireNode(range) {
  const [wantedMajor, wantedMinor] = range.replace('>=', '').split('.').map(Number)
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return
  throw refusal(`Node ${wantedMajor}.${wantedMinor} or newer is needed; this is ${process.version}.`)
}
