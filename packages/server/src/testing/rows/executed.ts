import { readFileSync } from 'node:fs'
import { placeOf, type RowTypes } from './types.ts'

/** Returns the calls of the product that are in the file of declared rows, but not in that of executed calls. */
export function unexecutedCalls(declaredFile: string, executedFile: string): string[] {
  const { sites }: RowTypes = JSON.parse(readFileSync(declaredFile, 'utf8'))
  const executed = new Set(readFileSync(executedFile, 'utf8').split('\n'))
  return sites.map(placeOf).filter((place) => !executed.has(place))
}
