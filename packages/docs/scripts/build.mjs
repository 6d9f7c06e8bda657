// Renders the site into dist/site and packs its files, so that the server neither renders nor compresses. Beside it is
// the document that it describes, which takes a second to make. `npm run typecheck` checks the types: the compiler
// would make a start from an empty checkout a second longer.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openApiDocument } from '@msgctl/contract/openapi'
import { rolldown } from 'rolldown'

const root = path.join(import.meta.dirname, '..')
const site = path.join(root, 'dist/site')
const unfinished = `${site}.${process.pid}`

const program = await rolldown({
  input: path.join(root, 'src/site.ts'),
  platform: 'node',
  external: /^(@msgctl|highlight\.js|marked)/,
})
const file = path.join(root, 'dist/render.js')
await program.write({ file })
const { buildSite } = await import(pathToFileURL(file).href)

const document = openApiDocument()
for (const [name, text] of buildSite(document)) {
  const file = path.join(unfinished, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
}
writeFileSync(path.join(root, 'dist/openapi.json'), JSON.stringify(document))
rmSync(site, { recursive: true, force: true })
renameSync(unfinished, site)
