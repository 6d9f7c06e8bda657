// Loaded into a program that a benchmark starts: counts its statements, and writes the count to a file at SIGUSR2.
import { renameSync, writeFileSync } from 'node:fs'
import { countQueries } from './harness.mjs'

const { QUERY_COUNT_FILE: file = '' } = process.env
const queries = countQueries()

process.on('SIGUSR2', () => {
  // Renamed when it is complete, so that the reader never finds a part of it.
  writeFileSync(`${file}.part`, String(queries.count()))
  renameSync(`${file}.part`, file)
})
