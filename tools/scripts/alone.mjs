// node alone.mjs FILE: runs a program and ends with it. A timer of a library that cannot be stopped would keep a
// benchmark for half a minute more, in which the next one waits. Its report ends with a line that it completed.
import { appendFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { nextTurn } from '../bench/support/turns.mjs'

const [, , file = ''] = process.argv
await nextTurn()
await import(pathToFileURL(file).href)
const { BENCH_REPORT } = process.env
if (BENCH_REPORT) appendFileSync(BENCH_REPORT, `${JSON.stringify({ completed: true })}\n`)
process.exit()
