// The previous version against the schema of this checkout, its replacement by this checkout under load, and the way
// back.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { refusal, root, run } from '../../scripts/process.mjs'
import { call } from './programs.mjs'
import { nginx } from './proxies.mjs'
import { rollBehind } from './rolling.mjs'

/** @import { Context } from './service.mjs' */

const migrations = 'packages/server/src/platform/db/migrations'

/** @param {string[]} args */
function git(...args) {
  return call('git', ['-C', root, ...args]).trim()
}

/**
 * Returns the id of a commit that this clone has, which may be a shallow one, or null.
 *
 * @param {string} name
 */
function commitOf(name) {
  const [id = '', kind] = call('git', ['-C', root, 'cat-file', '--batch-check'], { input: `${name}^{commit}` }).split(
    ' ',
  )
  return kind === 'commit' ? id : null
}

/** Returns the commit in front of this change: where its branch left main, on main itself the first parent. Or null. */
function commitBefore() {
  const head = commitOf('HEAD')
  const main = commitOf('origin/main') ?? commitOf('main')
  const base = main && git('merge-base', '--all', 'HEAD', main).split('\n')[0]
  return base && base !== head ? base : commitOf('HEAD^1')
}

/**
 * Returns what to upgrade from: PREVIOUS, a folder of npm run pack or anything that git knows; by default the newest
 * tag of the server that is not this commit, and before the first release the commit in front of this change. Null
 * without all of them.
 */
function previousVersion() {
  if (process.env.PREVIOUS !== undefined) return process.env.PREVIOUS
  const here = git('tag', '--points-at', 'HEAD').split('\n')
  const tags = git('tag', '--list', '@msgctl/server@*', '--sort=-v:refname').split('\n')
  return tags.find((tag) => tag !== '' && !here.includes(tag)) ?? commitBefore()
}

/** Returns why there is nothing to upgrade from, or null. */
export function whyNoUpgrade() {
  if (!existsSync(path.join(root, '.git')) && process.env.PREVIOUS === undefined) return 'no history of git'
  return previousVersion() === null ? 'no release and no earlier commit in this clone; PREVIOUS names another' : null
}

/**
 * Packs a commit in a checkout of its own.
 *
 * @param {string} folder
 * @param {string} commit
 */
async function packCommit(folder, commit) {
  const checkout = path.join(folder, 'previous')
  const packed = path.join(folder, 'previous-packed')
  mkdirSync(checkout)
  call('sh', ['-c', `git -C '${root}' archive '${commit}' | tar -x -C '${checkout}'`])
  const code = await run(process.execPath, [path.join(checkout, 'tools/scripts/pack.mjs'), packed], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (code !== 0) throw refusal(`The previous version ${commit} could not be packed.`)
  return packed
}

/**
 * Whether databases of that commit can be migrated to this schema: before the migrations were frozen, the first one
 * changed.
 *
 * @param {string} commit
 */
function isMigrated(commit) {
  if (existsSync(commit)) return false
  const files = git('ls-tree', '--name-only', commit, `${migrations}/`).split('\n')
  return files
    .filter((file) => file.endsWith('.sql'))
    .every((file) => {
      const own = path.join(root, file)
      return existsSync(own) && git('show', `${commit}:${file}`) === readFileSync(own, 'utf8').trim()
    })
}

/**
 * Serves with the previous version on the schema of this checkout, then replaces it process by process under load, and
 * goes back the same way, without a change of the schema. Where the databases of the previous version can be migrated,
 * the database begins as one of them, with its data, and is migrated under load too.
 *
 * @param {Context} context
 * @param {string} databaseUrl
 */
export async function upgrade({ folder, packed }, databaseUrl) {
  const previous = previousVersion()
  if (previous === null) throw refusal('There is nothing to upgrade from')
  const old = existsSync(previous) ? path.resolve(previous) : await packCommit(folder, previous)
  const first = isMigrated(previous) ? old : packed
  const seen = await rollBehind(nginx(folder), {
    folder,
    packed: old,
    databaseUrl,
    replacements: [packed, old],
    schemaOf: first,
  })
  return (
    `${previous} on ${first === old ? 'its own schema, migrated under load' : 'the schema of this checkout'}, to ` +
    `this checkout and back: ${seen}`
  )
}
