// npm run generate: writes every file that is made from others. Read the difference before you commit it.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { proofsTable } from '../proofs/proofs.mjs'
import { build } from './build.mjs'
import { install } from './install.mjs'
import { root, runQuietly, tool } from './process.mjs'

/**
 * Lets a test that compares a file with its source write the file instead.
 *
 * @param {string} what
 * @param {string} project
 * @param {string} file
 */
const update = (what, project, file) =>
  runQuietly(what, tool('vitest'), ['run', '--project', project, file, '--update'])
/**
 * @param {string} what
 * @param {string} script
 * @param {string[]} args
 */
const node = (what, script, ...args) => runQuietly(what, process.execPath, [script, ...args])
/** @param {string} file */
const format = (file) => runQuietly('format', tool('biome'), ['format', '--write', file])

/** In this order: what is made first is read by what follows. */
const steps = {
  'the schema and its types': () => update('schema', 'service', 'packages/server/src/platform/db/schema.test.ts'),
  'the tables and descriptions of the routes': () =>
    update('tables', 'service', 'packages/contract/src/generated.test.ts'),
  'the calls of the client': () => update('calls', 'service', 'packages/client/src/calls.test.ts'),
  'the events of the verifier': () => update('events', 'service', 'packages/webhook-verifier/src/generated.test.ts'),
  'the vectors of the verifier': async () => {
    await node('vectors', 'packages/webhook-verifier/scripts/vectors.mjs')
    await format('packages/webhook-verifier/vectors.json')
  },
  'the programs': build,
  'the reference of settings and metrics': () => update('reference', 'house', 'test/reference.test.ts'),
  'the reference of msgctl': () => node('reference', 'packages/cli/scripts/reference.mjs'),
  'the sessions of msgctl': () => update('sessions', 'service', 'packages/cli/src/testing/acceptance.test.ts'),
  'the picture of a terminal': () => node('picture', 'tools/scripts/terminal-svg.mjs'),
  'the dashboard': async () => {
    await node('dashboard', 'deploy/grafana/dashboard.mjs')
    await format('deploy/grafana/msgctl.json')
  },
  'the table of the proofs': writeProofs,
}

/** Writes the table of the proofs between its two marks in docs/build/testing.md. */
function writeProofs() {
  const page = path.join(root, 'docs/build/testing.md')
  const text = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    text.replace(/(<!-- proofs -->\n)[\s\S]*?(\n<!-- end -->)/, (_all, start, end) => `${start}${proofsTable()}${end}`),
  )
}

await install()
for (const [what, write] of Object.entries(steps)) {
  console.log(`Writing ${what}`)
  await write()
}
