import { readFileSync } from 'node:fs'

// As far from the source as from the compiled file. The bundle contains the version itself (scripts/bundle.mjs).
const file = new URL('../../../package.json', import.meta.url)

/** The version of this program. */
export const version: string = JSON.parse(readFileSync(file, 'utf8')).version
