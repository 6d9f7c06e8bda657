// Bundles msgctl into dist/bundle: a few files instead of two hundred, which halves the start-up time. They are
// CommonJS, because Node loads that without its loader of ES modules, which takes a fifth of the start.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { licenseTexts } from '../../../tools/scripts/licenses.mjs'

/** @import { Plugin } from 'rolldown' */

const root = path.join(import.meta.dirname, '..')

/**
 * Replaces node:child_process, which commander loads for executable subcommands: msgctl has none, and it takes a tenth
 * of the start.
 *
 * @type {Plugin}
 */
const withoutChildProcess = {
  name: 'without-child-process',
  resolveId(id, importer) {
    return /^(node:)?child_process$/.test(id) && importer?.includes('commander') ? '\0absent' : undefined
  },
  load(id) {
    return id === '\0absent' ? 'export default {}' : undefined
  },
}

/**
 * Puts the modules of nearly every command into one file, because each further file costs time. Commands, tables,
 * progress, CSV and prompts are loaded on demand.
 */
const core = {
  name: 'core',
  test: new RegExp(
    [
      String.raw`cli\/src\/(?!commands\/|output\/(table|progress)|input\/(csv|\w+-phone|phone-list|row-errors|prompt))`,
      String.raw`contract\/src`,
      'commander',
    ].join('|'),
  ),
}

/**
 * Writes the bundle to `outdir`, after emptying it, and returns the bundled modules.
 *
 * @param {string} outdir
 */
export async function bundle(outdir) {
  rmSync(outdir, { recursive: true, force: true })
  const build = await rolldown({
    input: path.join(root, 'src/main.ts'),
    cwd: root,
    platform: 'node',
    resolve: { conditionNames: ['@msgctl/source', 'node', 'import', 'default'] },
    plugins: [withoutChildProcess],
  })
  const { output } = await build.write({
    dir: outdir,
    format: 'cjs',
    minify: true,
    comments: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: { groups: [core] },
  })
  await build.close()
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  writeFileSync(path.join(outdir, 'third-party-licenses.txt'), licenseTexts(modules))
  return modules
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await bundle(path.join(root, 'dist/bundle'))
