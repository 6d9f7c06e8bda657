// An empty project, as a user begins one.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runQuietly } from '../scripts/process.mjs'

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023'],
  types: ['node'],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  outDir: 'out',
  rootDir: 'src',
}

/**
 * Makes the project in a folder that does not exist yet, with nothing in it but these packages and Node's types.
 *
 * @param {string} folder
 * @param {string[]} tarballs
 */
export async function emptyProject(folder, tarballs) {
  mkdirSync(path.join(folder, 'src'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
  await runQuietly('Installing', 'npm', ['install', ...quiet, ...tarballs, '@types/node@20'], folder)
  return folder
}
