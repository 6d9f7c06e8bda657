// Builds the console into dist/site and the pages that links open into dist/pages, each with all that it needs and the
// licences of the libraries in it, and packs their files, so that the server never has to compress them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { licenseTexts } from '../../../tools/scripts/licenses.mjs'

const root = path.join(import.meta.dirname, '..')

/** Files below this size stay as they are: the headers would weigh more than what is saved. */
const leastBytes = 256

// A test that starts the service from sources may be the first to build, and what it builds is kept.
process.env.NODE_ENV = 'production'
/** @type {string[]} */
const modules = []
for (const [name, page] of Object.entries({ pages: 'pages.html', site: 'index.html' })) {
  const outDir = path.join(root, 'dist', name)
  const built = await build({
    root,
    logLevel: 'warn',
    build: { outDir, rolldownOptions: { input: path.join(root, page) } },
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  modules.push(...outputs.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : [])))
  if (name === 'site') writeFileSync(path.join(outDir, 'licenses.txt'), licenseTexts(modules))
  pack(outDir)
}

/** @param {string} folder */
function pack(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    // The server writes the paths in pages.
    if (!/\.(?:js|css|svg|txt)$/.test(name)) continue
    const file = path.join(folder, name)
    const content = readFileSync(file)
    if (content.length < leastBytes) continue
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
  }
}
