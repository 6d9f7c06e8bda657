// How large a module is that a browser or an edge function would load.
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

// The bundler belongs to the client, which is published as a bundle.
const ofClient = createRequire(new URL('../packages/client/package.json', import.meta.url))
const { rolldown } = await import(pathToFileURL(ofClient.resolve('rolldown')).href)

/** Bytes with gzip of one module and all it imports, bundled and minified. */
export async function bundleSize(module) {
  const bundle = await rolldown({ input: fileURLToPath(import.meta.resolve(module)), platform: 'neutral' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return gzipSync(output[0].code, { level: 9 }).length
}
