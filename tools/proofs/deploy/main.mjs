// Proves what deploy/ offers with the programs that this machine has, and names what it skipped.
// npm run proof -- deploy [<name> ...]; with DEPLOY=required a skipped check fails.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { packArchive } from '../../scripts/pack.mjs'
import { isRefusal, stackOf } from '../../scripts/process.mjs'
import { checks } from './checks.mjs'
import { killAll, missing } from './programs.mjs'

/** @import { Check } from './checks.mjs' */

const wanted = process.argv.slice(2)
const required = process.env.DEPLOY === 'required'
const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-deploy-'))
// Postgres and PgBouncer run as a user of their own.
chmodSync(folder, 0o755)
// PACKED names a folder of npm run pack that is to be tested instead of this checkout.
const packed = path.resolve(process.env.PACKED ?? path.join(folder, 'packed'))
let failures = 0

/**
 * Returns why a check cannot run, or null.
 *
 * @param {Pick<Check, 'needs' | 'skips'>} check
 */
function whySkipped({ needs, skips }) {
  const absent = missing(needs)
  if (absent.length > 0) return `no ${absent.join(', ')} on this machine`
  return skips?.() ?? null
}

/** @param {Check} check */
async function runCheck({ name, run, ...conditions }) {
  const reason = whySkipped(conditions)
  if (reason !== null) {
    console.log(`${required ? 'FAILED ' : 'skipped'}  ${name}: ${reason}`)
    if (required) failures += 1
    return
  }
  try {
    console.log(`ok       ${name}: ${await run({ folder, packed })}`)
  } catch (error) {
    failures += 1
    killAll()
    console.log(`FAILED   ${name}: ${isRefusal(error) ? error.message : stackOf(error)}`)
  }
}

/** Packs an archive and unpacks it, as an operator would who brings it to another machine. */
async function bringArchive() {
  const archive = await packArchive(folder)
  mkdirSync(packed)
  execFileSync('tar', ['-xzf', archive, '-C', packed, '--strip-components=1'], { stdio: 'inherit' })
}

try {
  if (process.env.PACKED === undefined) await bringArchive()
  for (const check of checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) await runCheck(check)
} finally {
  killAll()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures > 0 ? 1 : 0
