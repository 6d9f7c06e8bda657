import { readFileSync } from 'node:fs'

// The path is the same from the source, the compiled files and the bundle.
const file = new URL('../../../package.json', import.meta.url)

/** The version of this program. */
export const version: string = JSON.parse(readFileSync(file, 'utf8')).version
