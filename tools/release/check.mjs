// Packs the published packages, lints them, installs them into an empty project, and runs what their READMEs show
// there.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from '../scripts/build.mjs'
import { install } from '../scripts/install.mjs'
import { isRefusal, refusal, root } from '../scripts/process.mjs'
import { hoverOf } from './hover.mjs'
import { lint, pack } from './pack.mjs'
import { tryPrograms } from './programs.mjs'
import { emptyProject } from './project.mjs'
import { runExamples } from './readme-examples.mjs'
import { tryTypes } from './type-projects.mjs'

/** Libraries and msgctl, whose READMEs have examples; then what runs the service. */
const packages = ['contract', 'webhook-verifier', 'client', 'cli']
const service = ['embedded-postgres', 'server']
/** What editors show for a call. */
const hovers = {
  'alert.send': ['Queues one text message', 'Feature send', '300 changes per minute', 'NUMBER_NOT_ON_NETWORK'],
  'events.stream()': ['=> EventStream<LoggedEvent>'],
}

/**
 * Installs the packages as they are published, and tries them. Only pnpm applies `publishConfig`, so only pnpm packs.
 *
 * @param {string} folder
 */
async function tryPackages(folder) {
  const all = await pack([...packages, ...service], path.join(folder, 'tarballs'))
  for (const tarball of all) await lint(tarball)
  const tarballs = all.filter((file) => !service.some((name) => path.basename(file).startsWith(`msgctl-${name}-`)))
  const setups = await tryTypes(path.join(folder, 'types'), tarballs)
  console.log(`client and verifier install alone, and compile as ${setups.join(', ')}`)
  const project = await emptyProject(path.join(folder, 'project'), tarballs)
  for (const name of packages) {
    for (const file of ['README.md', 'LICENSE']) {
      const installed = path.join(project, 'node_modules/@msgctl', name, file)
      if (!existsSync(installed)) throw refusal(`The package ${name} has no ${file}`)
    }
  }
  const count = await runExamples(project, packages)
  console.log(`${tarballs.length} packages installed, ${count} examples type-checked and run as printed`)
  console.log(await tryPrograms(folder, all))
  return project
}

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-packages-'))
try {
  await install(path.join(root, 'tools/release'), ['--dir', path.join(root, 'tools/release')])
  await build()
  const project = await tryPackages(folder)
  for (const [call, shown] of Object.entries(hovers)) {
    const hover = await hoverOf(project, call)
    for (const words of shown) {
      if (!hover.includes(words)) throw refusal(`An editor does not show "${words}" for client.${call} but:\n${hover}`)
    }
  }
  console.log('editors show gate, limits and codes of client.alert.send, and the name of the events of a stream')
} catch (error) {
  console.error(isRefusal(error) ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
