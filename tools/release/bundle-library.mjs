// Bundles the library in the current folder for publishing: ES modules and CommonJS with their types in dist/pkg, from
// what tsc has compiled. The package then needs no other package, neither at run time nor for its types.
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { install } from '../scripts/install.mjs'
import { root } from '../scripts/process.mjs'

/** @typedef {{ name: string, types: string, code: string }} Entry */

const folder = process.cwd()
const target = path.join(folder, 'dist/pkg')
const tools = path.join(root, 'tools/release')

/**
 * Loads a module that another folder depends on.
 *
 * @param {string} from
 * @param {string} name
 */
async function load(from, name) {
  const loaded = await import(pathToFileURL(createRequire(path.join(from, 'package.json')).resolve(name)).href)
  return loaded.default ? { ...loaded.default, ...loaded } : loaded
}

await install(tools, ['--dir', tools])
const { rolldown } = await load(folder, 'rolldown')
const { rollup } = await load(tools, 'rollup')
const { dts } = await load(tools, 'rollup-plugin-dts')

const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
/** @type {Entry[]} */
const entries = Object.entries(manifest.exports)
  .filter(([, conditions]) => conditions.types !== undefined)
  .map(([name, { types, default: code }]) => ({ name: name === '.' ? 'index' : name.slice(2), types, code }))

/**
 * Bundles the code. Entries share chunks, so that a class is the same in all of them.
 *
 * @param {string} format
 * @param {string} extension
 */
async function bundleCode(format, extension) {
  const input = Object.fromEntries(entries.map((entry) => [entry.name, entry.code]))
  const build = await rolldown({ input, platform: 'neutral', cwd: folder })
  const names = { entryFileNames: `[name].${extension}`, chunkFileNames: `shared-[hash].${extension}` }
  await build.write({ dir: target, format, ...names })
  await build.close()
}

/** Finds the types of the other packages of this repository, which are bundled too. */
const ownTypes = {
  name: 'own-types',
  /** @param {string} id */
  resolveId(id) {
    const [, pack, entry] = /^@msgctl\/([^/]+)(\/.+)?$/.exec(id) ?? []
    if (pack === undefined) return null
    const from = path.join(root, 'packages', pack)
    const { exports } = JSON.parse(readFileSync(path.join(from, 'package.json'), 'utf8'))
    return path.join(from, exports[`.${entry ?? ''}`].types)
  },
}

/**
 * Bundles the types of one entry into one file without imports, so that the same file serves both kinds of modules.
 *
 * @param {Entry} entry
 */
async function bundleTypes({ name, types }) {
  const plugins = [ownTypes, dts({ respectExternal: true, compilerOptions: { skipLibCheck: true } })]
  const build = await rollup({ input: path.join(folder, types), plugins, external: [/^node:/] })
  await build.write({ file: path.join(target, `${name}.d.ts`), format: 'es' })
  await build.close()
  copyFileSync(path.join(target, `${name}.d.ts`), path.join(target, `${name}.d.cts`))
}

if (existsSync(target)) rmSync(target, { recursive: true })
await bundleCode('esm', 'js')
await bundleCode('cjs', 'cjs')
for (const entry of entries) await bundleTypes(entry)
