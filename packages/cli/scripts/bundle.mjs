// Bundles msgctl into dist/bundle: a few files instead of a hundred, which halves the time until it does something.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { licensesOf } from './licenses.mjs'

const root = path.join(import.meta.dirname, '..')

/** commander loads node:child_process for a kind of command that msgctl has none of, and loading it takes a tenth of the time. */
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
 * What nearly every command needs stands in one file, because each file more costs a millisecond. The commands, and what a
 * few of them draw tables, read lists and ask people with, are loaded when they are typed.
 */
const core = {
  name: 'core',
  test: /cli\/src\/(?!commands\/|table|progress|watch|campaign|reminder|csv|forward|link|prompt)|contract\/src|commander/,
}

/** Writes the bundle into `outdir`, which holds nothing else, and answers the files that went into it. */
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
    format: 'esm',
    minify: true,
    comments: false,
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [core] },
  })
  await build.close()
  const modules = output.flatMap((chunk) => chunk.moduleIds ?? [])
  writeFileSync(path.join(outdir, 'third-party-licenses.txt'), licensesOf(modules))
  return modules
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await bundle(path.join(root, 'dist/bundle'))
