// Compiles and bundles what has changed. `node tools/scripts/build.mjs` alone does it too, for a machine that only runs
// the service.
import { readdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRefusal, root, runQuietly, tool } from './process.mjs'

/** Beside the main file of each, its script and the compiled packages and other files that it is made of. */
const bundles = {
  console: {
    script: 'packages/console/scripts/build.mjs',
    main: 'packages/console/dist/site/index.html',
    of: ['contract', 'client', 'console'],
    with: ['packages/console', 'packages/console/src/styles'],
  },
  docs: {
    script: 'packages/docs/scripts/build.mjs',
    main: 'packages/docs/dist/site/docs.html',
    of: ['contract'],
    with: ['packages/docs/src', 'packages/docs/src/assets', 'docs/use', 'docs/use/guides'],
  },
  server: {
    script: 'packages/server/scripts/bundle.mjs',
    main: 'packages/server/dist/bundle/main.js',
    of: ['contract', 'webhook-verifier', 'embedded-postgres', 'network', 'server'],
    with: ['packages/server/src/platform/db/migrations', 'packages/console/dist/site', 'packages/docs/dist/site'],
  },
  msgctl: {
    script: 'packages/cli/scripts/bundle.mjs',
    main: 'packages/cli/dist/bundle/main.cjs',
    of: ['contract', 'webhook-verifier', 'client', 'cli'],
    with: [],
  },
}

/** Each checker of a project reads all the types that it meets, so that more of them than cores only cost time. */
const checkers = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)))

/** The arguments with which TypeScript compiles the product. These packages lead to all; no test is among them. */
export const productOfTsc = ['-b', '--checkers', `${checkers}`, 'packages/cli', 'packages/console', 'packages/server']

/**
 * Compiles every package without its tests. TypeScript itself knows the order from the project references and what is
 * up to date: 0.2 s when nothing changed, and neither pnpm nor a registry is needed. Then bundles the programs: one
 * file starts in half the time of many.
 */
export async function build() {
  await runQuietly('Building', tool('tsc'), productOfTsc)
  for (const name of /** @type {const} */ (['console', 'docs', 'server', 'msgctl'])) await bundle(name)
}

/**
 * Bundles a program, or builds a site, when its inputs have changed. That of the server contains the sites.
 *
 * @param {keyof typeof bundles} name
 */
export async function bundle(name) {
  const { script, main, of, with: folders } = bundles[name]
  // TypeScript touches this file whenever it compiled something.
  const inputs = [
    'pnpm-lock.yaml',
    'tools/scripts/licenses.mjs',
    script,
    ...of.map((name) => `packages/${name}/dist/.tsbuildinfo`),
    ...folders.flatMap(filesOf),
  ]
  if (!isNewer(main, inputs)) await runQuietly(`Bundling ${name}`, process.execPath, [script])
}

/** Compiles what tests of the server share, for programs that use it compiled. */
export function buildTestingOfServer() {
  return runQuietly('Building', tool('tsc'), ['-b', 'packages/server/tsconfig.testing.json'])
}

/** @param {string} folder */
function filesOf(folder) {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => `${folder}/${name}`)
}

/**
 * @param {string} file
 * @param {string[]} inputs
 */
function isNewer(file, inputs) {
  const made = changedMs(file)
  return inputs.every((input) => changedMs(input) < made)
}

/**
 * When a file was written, in milliseconds; 0 for none.
 *
 * @param {string} file
 */
function changedMs(file) {
  return statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await build().catch((error) => {
    console.error(isRefusal(error) ? error.message : error)
    process.exitCode = 1
  })
}
