// The previous release against the schema of this checkout, and its replacement by this checkout under load.
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { refusal, root, run } from '../scripts/process.mjs'
import { call } from './programs.mjs'
import { haproxy } from './proxies.mjs'
import { rollBehind } from './rolling.mjs'

const baseline = 'packages/server/src/db/migrations/0001-baseline.sql'

function git(...args) {
  return call('git', ['-C', root, ...args]).trim()
}

/**
 * Returns the previous release: PREVIOUS, a folder of npm run pack or anything that git knows; by default the newest tag of
 * the server that is not this commit. Null before the first release.
 */
function previousRelease() {
  if (process.env.PREVIOUS !== undefined) return process.env.PREVIOUS
  const here = git('tag', '--points-at', 'HEAD').split('\n')
  const tags = git('tag', '--list', '@msgctl/server@*', '--sort=-v:refname').split('\n')
  return tags.find((tag) => tag !== '' && !here.includes(tag)) ?? null
}

/** Returns why there is nothing to upgrade from, or null. */
export function whyNoUpgrade() {
  if (!existsSync(path.join(root, '.git')) && process.env.PREVIOUS === undefined) return 'no history of git'
  return previousRelease() === null ? 'no release yet; PREVIOUS names a commit or a packed folder' : null
}

/** Packs a commit in a checkout of its own. */
async function packCommit(folder, commit) {
  const checkout = path.join(folder, 'previous')
  const packed = path.join(folder, 'previous-packed')
  mkdirSync(checkout)
  call('sh', ['-c', `git -C '${root}' archive '${commit}' | tar -x -C '${checkout}'`])
  const code = await run(process.execPath, [path.join(checkout, 'tools/scripts/pack.mjs'), packed], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (code !== 0) throw refusal(`The previous release ${commit} could not be packed.`)
  return packed
}

/** Whether databases of that commit can be migrated to this schema: before 0.1.0 the first migration itself changed. */
function isMigrated(commit) {
  if (existsSync(commit)) return false
  return git('show', `${commit}:${baseline}`) === call('cat', [path.join(root, baseline)]).trim()
}

/**
 * Serves with the previous release on the schema of this checkout, then replaces it process by process under load. Where
 * its databases can be migrated, the database begins as one of the previous release, and is migrated under load too.
 */
export async function upgrade({ folder, packed }, databaseUrl) {
  const previous = previousRelease()
  const old = existsSync(previous) ? path.resolve(previous) : await packCommit(folder, previous)
  const first = isMigrated(previous) ? old : packed
  const seen = await rollBehind(haproxy(folder), {
    folder,
    packed: old,
    databaseUrl,
    replacement: packed,
    schemaOf: first,
  })
  return `${previous} on ${first === old ? 'its own schema, migrated under load' : 'the schema of this checkout'}: ${seen}`
}
