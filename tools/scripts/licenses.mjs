// The licences of the packages of others that we pass on: which are allowed, and their texts, which must come along.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { refusal } from './process.mjs'

/** @typedef {{ name: string, version: string, license: string, text: string }} Licensed */

/** Licences under which everybody may pass a package on with its text, and with the sources of their own closed. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])

/** The name of a file that contains the licence of its package. */
export const licenseFile = /^(?:licen[cs]e|copying|unlicense)/i

/**
 * Packages under the MIT licence that contain no text of it, with the copyright line of their repository, or else their
 * author as the package names them. Their text is the common one.
 *
 * @type {Record<string, string>}
 */
const withoutText = {
  '@node-rs/argon2': 'Copyright (c) 2020-present LongYinan',
  'koa-compose': 'Copyright (c) 2013 TJ Holowaychuk tj@apex.sh',
  numbered: 'Copyright (c) Blake Embrey (hello@blakeembrey.com)',
}

/**
 * Returns the common text of the MIT licence.
 *
 * @param {string} copyright
 */
const mit = (copyright) => `The MIT License (MIT)

${copyright}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

/**
 * Returns the licences of the packages in these folders, sorted by name. Throws for a licence that is not allowed, and
 * for a package without a text.
 *
 * @param {Iterable<string>} folders
 */
function licensesOf(folders) {
  return [...new Set(folders)].map(licenseOf).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * @param {string} folder
 * @returns {Licensed}
 */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  if (!allows(license)) throw refusal(`${name} ${version}: its licence, ${license}, is not allowed to be passed on.`)
  // The program for one system is a package of its own.
  const copyright = withoutText[name] ?? withoutText[name.replace(/-(?:linux|darwin|win32)-.*$/, '')]
  const text = textIn(folder) ?? (license === 'MIT' && copyright ? mit(copyright) : undefined)
  if (text === undefined) throw refusal(`${name} ${version} has no licence text, which must be passed on with it.`)
  return { name, version, license, text }
}

/**
 * Returns whether one of the alternatives of a licence is allowed.
 *
 * @param {unknown} license
 */
function allows(license) {
  return (
    typeof license === 'string' &&
    license
      .replaceAll(/[()]/g, '')
      .split(' OR ')
      .some((each) => allowed.has(each))
  )
}

/**
 * Returns the licence text of a package, of files of its own or of the end of its README.
 *
 * @param {string} folder
 */
function textIn(folder) {
  const names = readdirSync(folder)
  const files = names.filter((each) => licenseFile.test(each))
  // Apache-2.0 asks for the notices of the authors, too.
  const notices = names.filter((each) => /^notice/i.test(each))
  if (files.length > 0)
    return [...files, ...notices].map((each) => readFileSync(path.join(folder, each), 'utf8').trim()).join('\n\n')
  const readme = names.find((each) => /^readme/i.test(each))
  const [, text] = readme ? readFileSync(path.join(folder, readme), 'utf8').split(/^#+ licen[cs]e\s*$/im) : []
  return text?.includes('Permission is hereby granted') ? text.trim() : undefined
}

/**
 * Returns the folders of the packages of others that modules are from.
 *
 * @param {string[]} moduleIds
 */
function packageFolders(moduleIds) {
  return moduleIds
    .map((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1])
    .filter((folder) => folder !== undefined && existsSync(path.join(folder, 'package.json')))
}

/**
 * Returns the texts of the licences of the packages that these modules are from, as a file that comes with a bundle.
 *
 * @param {string[]} moduleIds
 */
export function licenseTexts(moduleIds) {
  return textsOf(/** @type {string[]} */ (packageFolders(moduleIds)))
}

/**
 * Returns the texts of the licences of the packages in these folders, as a file that comes with them.
 *
 * @param {Iterable<string>} folders
 */
export function textsOf(folders) {
  return licensesOf(folders)
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`)
}
