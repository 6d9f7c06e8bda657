import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { inject } from 'vitest'
import { rowWatch } from '#platform/db/row-watch.ts'
import { mismatchOf } from './mismatch.ts'
import { type CallSite, placeOf, type RowTypes } from './types.ts'

/** What the compiler was asked about. */
const product = /^packages\/server\/src\/(?!testing\/)(?!.*\.test\.ts$)/

/** One of the functions calls the other. */
const own = /\/platform\/db\/db\.(?:ts|js)$/

type Called = Parameters<NonNullable<typeof rowWatch.begin>>[0]

/** A place in a file, from line 1 and column 1. */
interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** What is known of the statements that were executed in this process. */
export interface WatchedRows {
  /** Throws when a result since the last call differed from the type that its caller declared. */
  requireDeclared(): void
  /** Does the same at the end of a test file, and notes the calls that were executed. */
  finish(): void
}

let watched: WatchedRows | undefined

/** Returns the declared rows of all calls in the product. */
export function declaredRows(): RowTypes {
  return JSON.parse(readFileSync(inject('declaredRows'), 'utf8'))
}

/** Watches the statements of this process. A worker that runs many test files does it once. */
export function watchedRows(): WatchedRows {
  watched ??= watchRows(declaredRows())
  return watched
}

/** Compares the result of each statement of this process, from now on, with the type that its caller declared. */
export function watchRows(declared: RowTypes): WatchedRows {
  const sites = new Map<string, CallSite[]>()
  for (const site of declared.sites) {
    const line = `${site.file}:${site.line}`
    sites.set(line, [...(sites.get(line) ?? []), site])
  }
  const known = new Map<string, CallSite | undefined>()
  const executed = new Set<string>()
  const mismatches = new Set<string>()
  let noted = 0

  function siteOf(caller: NodeJS.CallSite): CallSite | undefined {
    const key = `${caller.getFileName()}:${caller.getLineNumber()}:${caller.getColumnNumber()}`
    if (known.has(key)) return known.get(key)
    const { file, line, column } = toSource(caller)
    const [, local] = /\/(packages\/.*)$/.exec(file) ?? []
    const distance = (site: CallSite) => Math.abs(site.column - column)
    const [site] = [...(sites.get(`${local}:${line}`) ?? [])].sort((one, other) => distance(one) - distance(other))
    if (site === undefined && local !== undefined && product.test(local))
      mismatches.add(`${local}:${line}:${column}: the compiler knows no call here`)
    known.set(key, site)
    return site
  }

  rowWatch.begin = (called) => {
    const caller = callerOf(called)
    const site = caller && siteOf(caller)
    if (site === undefined) return undefined
    executed.add(placeOf(site))
    return ({ fields, rows }: Partial<pg.QueryResult>) => {
      // A test executes nothing, or has the statement explained instead.
      if (rows === undefined || fields === undefined || fields[0]?.name === 'QUERY PLAN') return
      const found = mismatchOf(declared, site.type, fields, rows)
      if (found !== undefined) mismatches.add(`${placeOf(site)}: ${found}`)
    }
  }

  function requireDeclared(): void {
    if (mismatches.size === 0) return
    const found = [...mismatches].join('\n')
    mismatches.clear()
    throw new Error(`Rows differ from their declared type:\n${found}`)
  }

  return {
    requireDeclared,
    finish() {
      const places = [...executed].slice(noted)
      noted = executed.size
      if (places.length > 0) appendFileSync(inject('executedCalls'), places.map((place) => `${place}\n`).join(''))
      requireDeclared()
    },
  }
}

/** Returns the call site of a function that runs, with its position in the compiled code, which is cheap to know. */
function callerOf(called: Called): NodeJS.CallSite | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error
  const holder: { stack?: NodeJS.CallSite[] } = {}
  Error.prepareStackTrace = (_error, callSites) => callSites
  Error.stackTraceLimit = 2
  Error.captureStackTrace(holder, called)
  const caller = holder.stack?.find((callSite) => !own.test(callSite.getFileName() ?? ''))
  Error.prepareStackTrace = prepareStackTrace
  Error.stackTraceLimit = stackTraceLimit
  return caller
}

/** Returns where a call stands in the source: the runner knows it for what it transforms, a map for what is built. */
function toSource(caller: NodeJS.CallSite): Position {
  const text = String(Error.prepareStackTrace?.(new Error('place'), [caller]) ?? '')
  const shown = /(?:\(|at )([^()]*):(\d+):(\d+)\)?$/.exec(text)
  const [file, line, column] = shown
    ? [shown[1] ?? '', Number(shown[2]), Number(shown[3])]
    : [caller.getFileName() ?? '', caller.getLineNumber() ?? 0, caller.getColumnNumber() ?? 0]
  const local = file.startsWith('file:') ? fileURLToPath(file) : file
  if (!local.endsWith('.js') || !existsSync(`${local}.map`)) return { file: local, line, column }
  const map = new SourceMap(JSON.parse(readFileSync(`${local}.map`, 'utf8')))
  const entry = map.findEntry(line - 1, column - 1)
  if (!('originalSource' in entry)) return { file: local, line, column }
  return {
    file: path.resolve(path.dirname(local), entry.originalSource),
    line: entry.originalLine + 1,
    column: entry.originalColumn + 1,
  }
}
