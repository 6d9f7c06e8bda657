// Bundles the server into dist/bundle/main.js: one file instead of 900, which halves the time until a process is ready.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { licenseTexts } from '../../../tools/scripts/licenses.mjs'

const root = path.join(import.meta.dirname, '..')

/** Native programs, and what is loaded when it is first needed, stay in node_modules. */
const leftWhereTheyAre = [/^@node-rs\/argon2/, /^@msgctl\/embedded-postgres/, /^undici/, /^qrcode/]

/** What pg and knex would use if it were installed. */
const absent =
  /^(pg-native|pg-cloudflare|pg-query-stream|mysql2?|mariadb|sqlite3|better-sqlite3|oracledb|tedious)(\/|$)/

/** Puts the text of the migrations into the bundle, in place of the module that reads their files. */
const inlineMigrations = {
  name: 'inline-migrations',
  load: {
    filter: { id: /\/src\/platform\/db\/migrations\/index\.ts$/ },
    async handler() {
      const { migrations } = await import('../dist/platform/db/migrations/index.js')
      return { code: `export const migrations = ${JSON.stringify(migrations)}`, moduleType: 'js' }
    },
  },
}

/** Puts the version into the bundle, which lies at another depth than the module that reads package.json. */
const inlineVersion = {
  name: 'inline-version',
  load: {
    filter: { id: /\/src\/platform\/metrics\/version\.ts$/ },
    async handler() {
      const { version } = await import('../dist/platform/metrics/version.js')
      return { code: `export const version = ${JSON.stringify(version)}`, moduleType: 'js' }
    },
  },
}

/** Puts the OpenAPI document of packages/docs into the bundle, in place of the module that makes it. */
const inlineDocument = {
  name: 'inline-document',
  load: {
    filter: { id: /\/contract\/src\/openapi\/document\.ts$/ },
    handler() {
      const document = readFileSync(path.join(root, '../docs/dist/openapi.json'))
      // Packed, and opened when it is requested first: most processes never serve it.
      const packed = gzipSync(document).toString('base64')
      const code = `
import { gunzipSync } from 'node:zlib'
export const openApiDocument = () => JSON.parse(gunzipSync(Buffer.from(${JSON.stringify(packed)}, 'base64')).toString())
`
      return { code, moduleType: 'js' }
    },
  },
}

/** The library of the payment provider is a file of its own, which only a service that takes payments loads. */
const stripeFile = 'stripe.js'
const stripeBeside = {
  name: 'stripe-beside',
  resolveId: { filter: { id: /^stripe$/ }, handler: () => ({ id: `./${stripeFile}`, external: true }) },
}

/**
 * Writes the library of the payment provider beside the bundle, and returns its modules.
 *
 * @param {string} folder
 */
async function bundleStripe(folder) {
  const library = path.join(root, 'node_modules/stripe')
  const entry = path.join(library, 'esm/stripe.esm.node.js')
  const build = await rolldown({ input: entry, cwd: root, platform: 'node' })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false })
  await build.close()
  writeAtomically(path.join(folder, stripeFile), output[0].code)
  return output[0].moduleIds
}

/**
 * @param {string} file
 * @param {string} text
 */
function writeAtomically(file, text) {
  const unfinished = `${file}.${process.pid}`
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}

/**
 * Writes the bundle to `file` atomically: a process that starts during the write loads either the old bundle or the new
 * one. The bundle is one file, because a running process must not load a part that the next build has removed; the
 * library of the payment provider, beside it, keeps its name. Nothing is minified, so that the stacks in a log stay
 * readable. Beside both are the licences of the libraries in them.
 *
 * @param {string} file
 */
export async function bundle(file) {
  const build = await rolldown({
    input: path.join(root, 'src/main.ts'),
    cwd: root,
    platform: 'node',
    resolve: { conditionNames: ['@msgctl/source', 'node', 'default'] },
    external: [...leftWhereTheyAre, absent],
    checks: { eval: false },
    plugins: [stripeBeside, inlineMigrations, inlineVersion, inlineDocument],
  })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false })
  await build.close()
  const stripe = await bundleStripe(path.dirname(file))
  const licences = licenseTexts([...output[0].moduleIds, ...stripe])
  writeAtomically(path.join(path.dirname(file), 'third-party-licenses.txt'), licences)
  writeAtomically(file, output[0].code)
}

/**
 * Copies what another package built for browsers beside the bundle, so that both can be moved together. Where nothing
 * was built there is nothing to copy.
 *
 * @param {string} pack
 * @param {string} site
 */
function copySite(pack, site) {
  const built = path.join(root, '..', pack, 'dist', site)
  const folder = path.join(root, 'dist/bundle', `${pack}-${site}`)
  const unfinished = `${folder}.${process.pid}`
  if (!existsSync(built)) return
  cpSync(built, unfinished, { recursive: true })
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinished, folder)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bundle(path.join(root, 'dist/bundle/main.js'))
  copySite('console', 'site')
  copySite('console', 'pages')
  copySite('docs', 'site')
}
