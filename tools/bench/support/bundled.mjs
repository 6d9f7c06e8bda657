// A module as a browser or an edge function would load it.
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

// The bundler belongs to the client, which is published as a bundle.
const ofClient = createRequire(new URL('../../../packages/client/package.json', import.meta.url))
/** @type {typeof import('rolldown')} */
const { rolldown } = await import(pathToFileURL(ofClient.resolve('rolldown')).href)

/**
 * The code of one module with all it imports.
 * @param {string} module
 * @param {{ minify?: boolean }} [options]
 * @returns {Promise<string>}
 */
export async function bundled(module, options = {}) {
  const bundle = await rolldown({ input: fileURLToPath(import.meta.resolve(module)), platform: 'neutral' })
  const { output } = await bundle.generate({ format: 'esm', ...options })
  await bundle.close()
  return output[0].code
}

/**
 * Its bytes with gzip, minified.
 * @param {string} module
 */
export async function bundleSize(module) {
  return gzipSync(await bundled(module, { minify: true }), { level: 9 }).length
}
