// Bundles msgctl into dist/bundle: a few files instead of a hundred, which halves the time until it does something.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = path.join(import.meta.dirname, '..')

/** commander loads node:child_process for a kind of command that msgctl has none of, and loading it takes a tenth of the time. */
const withoutChildProcess = {
  name: 'without-child-process',
  setup(builder) {
    builder.onResolve({ filter: /^(node:)?child_process$/ }, ({ importer }) =>
      importer.includes('commander') ? { path: 'child_process', namespace: 'absent' } : undefined,
    )
    builder.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Writes the bundle into `outdir`, which holds nothing else, and answers what esbuild says about its parts. */
export async function bundle(outdir) {
  rmSync(outdir, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: [path.join(root, 'src/main.ts')],
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@msgctl/source'],
    // commander and qrcode are CommonJS and ask for Node's own modules with require.
    banner: { js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);" },
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
    plugins: [withoutChildProcess],
  })
  return metafile
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await bundle(path.join(root, 'dist/bundle'))
