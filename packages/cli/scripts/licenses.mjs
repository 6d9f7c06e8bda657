// Gathers the licences of what the bundle holds: it is published, and most of them ask to be passed on.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The folder of the package that a module belongs to; undefined for our own. */
function packageFolder(moduleId) {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(moduleId.replaceAll('\\', '/')) ?? []
  return folder !== undefined && existsSync(path.join(folder, 'package.json')) ? folder : undefined
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const text = file === undefined ? 'No text comes with the package.' : readFileSync(path.join(folder, file), 'utf8')
  return `${name} ${version} (${license ?? 'no licence stated'})\n\n${text.trim()}\n`
}

/** The licences of the packages that these modules belong to, by name. */
export function licensesOf(moduleIds) {
  const folders = new Set(moduleIds.map(packageFolder).filter((folder) => folder !== undefined))
  return [...folders]
    .map(licenseOf)
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`)
}
