// node alone.mjs FILE: runs a program and ends with it. A timer of a library that cannot be stopped would keep a benchmark
// for half a minute more, in which the next one waits.
import { pathToFileURL } from 'node:url'

const [, , file] = process.argv
await import(pathToFileURL(file).href)
process.exit()
