// The previous release against the schema of this checkout, its replacement by this checkout under load, and the way back.
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { refusal, root, run } from '../scripts/process.mjs'
import { call } from './programs.mjs'
import { nginx } from './proxies.mjs'
import { rollBehind } from './rolling.mjs'

/** What stands for the previous release before the first one: the commit that decision 0076 names. */
const beforeReleases = '6035328b1cdc'
const baseline = 'packages/server/src/db/migrations/0001-baseline.sql'

function git(...args) {
  return call('git', ['-C', root, ...args]).trim()
}

/** Whether a commit is part of this clone, which may be a shallow one. */
function isStored(commit) {
  return call('git', ['-C', root, 'cat-file', '--batch-check'], { input: commit }).includes(' commit ')
}

/**
 * Returns the previous release: PREVIOUS, a folder of npm run pack or anything that git knows; by default the newest tag of
 * the server that is not this commit, and before the first release the commit that decision 0076 names. Null without both.
 */
function previousRelease() {
  if (process.env.PREVIOUS !== undefined) return process.env.PREVIOUS
  const here = git('tag', '--points-at', 'HEAD').split('\n')
  const tags = git('tag', '--list', '@msgctl/server@*', '--sort=-v:refname').split('\n')
  return tags.find((tag) => tag !== '' && !here.includes(tag)) ?? (isStored(beforeReleases) ? beforeReleases : null)
}

/** Returns why there is nothing to upgrade from, or null. */
export function whyNoUpgrade() {
  if (!existsSync(path.join(root, '.git')) && process.env.PREVIOUS === undefined) return 'no history of git'
  return previousRelease() === null
    ? `no release and no commit ${beforeReleases} in this clone; PREVIOUS names another`
    : null
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
 * Serves with the previous release on the schema of this checkout, then replaces it process by process under load, and goes
 * back the same way, without a change of the schema. Where the databases of the previous release can be migrated, the
 * database begins as one of them, and is migrated under load too.
 */
export async function upgrade({ folder, packed }, databaseUrl) {
  const previous = previousRelease()
  const old = existsSync(previous) ? path.resolve(previous) : await packCommit(folder, previous)
  const first = isMigrated(previous) ? old : packed
  const seen = await rollBehind(nginx(folder), {
    folder,
    packed: old,
    databaseUrl,
    replacements: [packed, old],
    schemaOf: first,
  })
  return `${previous} on ${first === old ? 'its own schema, migrated under load' : 'the schema of this checkout'}, to this checkout and back: ${seen}`
}
