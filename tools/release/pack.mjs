// Makes the tarballs that are published, and lints them.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root, runQuietly } from '../scripts/process.mjs'

const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

/**
 * Packs each package into a folder. Returns the paths of the tarballs.
 *
 * @param {string[]} packages
 * @param {string} folder
 */
export async function pack(packages, folder) {
  mkdirSync(folder)
  for (const name of packages) {
    const cwd = path.join(root, 'packages', name)
    await runQuietly(`Packing ${name}`, 'npx', ['--yes', packageManager, 'pack', '--pack-destination', folder], cwd)
  }
  return readdirSync(folder).map((file) => path.join(folder, file))
}

/** @param {string} name */
const bin = (name) => path.join(root, 'tools/release/node_modules/.bin', name)

/**
 * ES modules only: the contract, the embedded Postgres and the server, whose users are current, and msgctl, which has
 * no types.
 */
const esmOnly = /(contract|cli|server|embedded-postgres)-\d/

/**
 * Holds a tarball against publint and, where there are types, against attw. Throws what they say.
 *
 * @param {string} tarball
 */
export async function lint(tarball) {
  await runQuietly('publint', bin('publint'), ['run', tarball, '--strict'])
  await runQuietly('attw', bin('attw'), [
    tarball,
    '--profile',
    esmOnly.test(tarball) ? 'esm-only' : 'strict',
    '--format',
    'ascii',
  ])
}
