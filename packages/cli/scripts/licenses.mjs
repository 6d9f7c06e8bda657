// Collects the licences of the bundled packages, which most of them require to be distributed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns the folder of the package of a module; undefined for our own packages.
 *
 * @param {string} moduleId
 */
function packageFolder(moduleId) {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(moduleId.replaceAll('\\', '/')) ?? []
  return folder !== undefined && existsSync(path.join(folder, 'package.json')) ? folder : undefined
}

/** @param {string} folder */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const text =
    file === undefined ? 'The package contains no licence text.' : readFileSync(path.join(folder, file), 'utf8')
  return `${name} ${version} (${license ?? 'no licence stated'})\n\n${text.trim()}\n`
}

/**
 * Returns the licences of the packages of these modules, sorted by name.
 *
 * @param {string[]} moduleIds
 */
export function collectLicenses(moduleIds) {
  const folders = new Set(moduleIds.map(packageFolder).filter((folder) => folder !== undefined))
  return [...folders]
    .map(licenseOf)
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`)
}
