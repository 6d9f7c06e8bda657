// Builds the site into dist/site and packs its files, so that the server never has to compress them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = path.join(import.meta.dirname, '..')
const site = path.join(root, 'dist/site')

/** Files below this size stay as they are: the headers would weigh more than what is saved. */
const leastBytes = 256

await build({ root, logLevel: 'warn' })
for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(?:js|css|html|svg)$/.test(name)) continue
  const file = path.join(site, name)
  const content = readFileSync(file)
  // The server writes the paths of index.html for each request.
  if (content.length < leastBytes || name === 'index.html') continue
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
}
