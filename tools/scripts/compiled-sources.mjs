// Lets a whole run of the tests import what `npm test` has compiled just before: a worker then loads the service in a
// third of the time, because the runner transforms the test files alone. A single run reads the sources.
import { existsSync } from 'node:fs'

const source = /^(?<folder>.*\/packages\/[^/]+)\/src\/(?<name>.+)\.ts$/
/** Compiled files, which Node loads by itself. */
const compiled = /\/packages\/[^/]+\/dist\/.+\.js$/
/** It must run before each test file, and compiled modules are loaded once. */
const setup = 'testing/setup'

/** @type {NonNullable<import('vitest/config').ViteUserConfig['plugins']>} */
const plugins = [
  {
    name: 'compiled-sources',
    enforce: 'pre',
    async resolveId(specifier, importer, options) {
      const found = await this.resolve(specifier, importer, { ...options, skipSelf: true })
      const { folder, name } = source.exec(found?.id ?? '')?.groups ?? {}
      if (folder === undefined || name === undefined || name === setup || name.endsWith('.test')) return found
      if (!folder.endsWith('/server') && importer?.startsWith(`${folder}/`)) return found
      const file = `${folder}/dist/${name}.js`
      return existsSync(file) ? file : found
    },
  },
]

/**
 * What a project of vitest adds to import the compiled server, and compiled packages from others than themselves: tests
 * of a package read its own sources.
 */
export const withCompiledSources = { plugins, server: { deps: { external: [compiled] } } }
