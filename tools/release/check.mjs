// Packs the published packages, lints them, installs them into an empty project, and runs what their READMEs show there.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { install } from '../scripts/install.mjs'
import { refusal, root, runQuietly, tool } from '../scripts/process.mjs'
import { hoverOf } from './hover.mjs'
import { lint, pack } from './pack.mjs'
import { emptyProject } from './project.mjs'
import { runExamples } from './readme-examples.mjs'

const packages = ['contract', 'webhook-verifier', 'client', 'cli']

/** Installs what one packer made, and tries it. Packages made by npm must work as those made by pnpm, which publishes. */
async function tryPackages(packer, folder) {
  const tarballs = await pack(packer, packages, path.join(folder, packer))
  if (packer === 'pnpm') for (const tarball of tarballs) await lint(tarball)
  const project = await emptyProject(path.join(folder, `${packer}-project`), tarballs)
  for (const name of packages) {
    for (const file of ['README.md', 'LICENSE']) {
      const installed = path.join(project, 'node_modules/@msgctl', name, file)
      if (!existsSync(installed)) throw refusal(`The package ${name} made by ${packer} has no ${file}`)
    }
  }
  const count = await runExamples(project, packages)
  console.log(`${packer}: ${tarballs.length} packages installed, ${count} examples type-checked and run as printed`)
  return project
}

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-packages-'))
try {
  await install(path.join(root, 'tools/release'), ['--ignore-workspace', '--dir', path.join(root, 'tools/release')])
  await runQuietly('Building', tool('tsc'), ['-b'])
  await tryPackages('npm', folder)
  const hover = await hoverOf(await tryPackages('pnpm', folder), 'alert.send')
  for (const words of ['Queues one text message', 'Feature send', '300 changes a minute', 'NUMBER_NOT_ON_NETWORK']) {
    if (!hover.includes(words)) throw refusal(`An editor does not show "${words}" for client.alert.send but:\n${hover}`)
  }
  console.log('editors show gate, limits and codes of client.alert.send')
} catch (error) {
  console.error(error instanceof Error && error.expected ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
