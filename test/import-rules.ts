import { endpoints } from '@msgctl/contract/endpoints'
import { confined, type PackageModules, packageModules, plainEntries } from './modules.ts'
import { placeOf, serverEdges } from './server-edges.ts'
import type { ImportLine, Source } from './sources.ts'

/** A sentence that names the file, the line and the rule it breaks. */
export type Violation = string

function ofOurs(target: string): boolean {
  return target.startsWith('packages/')
}

function matches(entry: string, name: string): boolean {
  return entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry
}

function eachImport(
  sources: readonly Source[],
  judge: (source: Source, line: ImportLine) => string | undefined,
): Violation[] {
  return sources.flatMap((source) =>
    source.imports.flatMap((line) => {
      const why = judge(source, line)
      return why === undefined ? [] : [`${source.file}:${line.line} imports ${line.target}: ${why}`]
    }),
  )
}

/** Files of one package that reach into another by a path instead of its name. */
export function strayPaths(sources: readonly Source[]): Violation[] {
  return eachImport(sources, ({ pack }, { target }) => {
    if (!ofOurs(target) || target.startsWith(`packages/${pack}/`)) return undefined
    return 'another package is imported by its name'
  })
}

/** Files that load a module which their package may not. Tests may load what they like. */
export function foreignModules(sources: readonly Source[]): Violation[] {
  return eachImport(sources, ({ pack, local, forTests }, { target, typeOnly }) => {
    if (forTests || ofOurs(target)) return undefined
    const { run, types }: PackageModules = packageModules[pack] ?? { run: [], types: [] }
    const allowed = typeOnly ? [...run, ...types] : run
    if (allowed.some((entry) => matches(entry, target))) return undefined
    if (isConfinedTo(target, `${pack}/${local}`)) return undefined
    return `${pack} may not load it${typeOnly ? ', not even its types' : ''} (test/modules.ts)`
  })
}

function isConfinedTo(module: string, file: string): boolean {
  return confined[module]?.some((place) => file === place || (place.endsWith('/') && file.startsWith(place))) ?? false
}

/** Files that import a module which has its place elsewhere. */
export function escapedModules(sources: readonly Source[]): Violation[] {
  return eachImport(sources, ({ pack, local, forTests }, { target }) => {
    const places = confined[target]
    if (forTests || !places || isConfinedTo(target, `${pack}/${local}`)) return undefined
    return `only ${places.join(', ')} may (test/modules.ts)`
  })
}

/** Product files that import what is there for tests. */
export function testsInProduct(sources: readonly Source[]): Violation[] {
  const forTests = new Set(sources.filter((source) => source.forTests).map((source) => source.file))
  return eachImport(sources, (source, { target }) => {
    return !source.forTests && forTests.has(target) ? 'only tests may' : undefined
  })
}

/** Imports between places of the server that the table of edges does not allow. */
export function forbiddenEdges(sources: readonly Source[]): Violation[] {
  const server = sources.filter(({ pack, forTests }) => pack === 'server' && !forTests)
  return eachImport(server, ({ local }, { target, typeOnly }) => {
    const from = placeOf(local)
    if (!ofOurs(target)) return undefined
    const wanted = target.replace('packages/server/src/', '')
    const to = placeOf(wanted)
    if (from === to) return undefined
    const entries = serverEdges[from] ?? []
    const allowed = [to, wanted, ...(typeOnly ? [`type ${to}`, `type ${wanted}`] : [])]
    if (entries.some((entry) => allowed.includes(entry) || (entry.endsWith('/') && wanted.startsWith(entry)))) {
      return undefined
    }
    return `${from} may not use ${to}${typeOnly ? '' : ' at run time'} (test/server-edges.ts)`
  })
}

/** Places of the server that the table does not have, and rows of the table whose place is gone. */
export function unknownPlaces(sources: readonly Source[]): Violation[] {
  const server = sources.filter(({ pack, forTests }) => pack === 'server' && !forTests)
  const there = new Set(server.map(({ local }) => placeOf(local)))
  const unknown = [...there].filter((place) => !(place in serverEdges))
  const promised = new Set(Object.keys(endpoints).map((resource) => `${resource}/`))
  const gone = Object.keys(serverEdges).filter((place) => !there.has(place) && !promised.has(place))
  return [
    ...unknown.map((place) => `packages/server/src/${place} has no row in test/server-edges.ts`),
    ...gone.map((place) => `test/server-edges.ts has a row for ${place}, which is not there`),
  ]
}

/** Files that the plain entries of the contract reach at run time and that import a module. */
export function schemasInPlainEntries(sources: readonly Source[]): Violation[] {
  const byFile = new Map(sources.map((source) => [source.file, source]))
  const reached = new Set(plainEntries.map((entry) => `packages/contract/src/${entry}`))
  const found: Violation[] = []
  // A set that is added to while it is walked also walks what was added.
  for (const file of reached) {
    const source = byFile.get(file)
    if (!source) found.push(`${file} is not there`)
    for (const { line, target, typeOnly } of source?.imports ?? []) {
      if (typeOnly) continue
      if (ofOurs(target)) reached.add(target)
      else found.push(`${file}:${line} imports ${target}: clients carry this file, and it must stay plain`)
    }
  }
  return found
}

/** Namespace imports of zod are what keeps the rest of it out of bundles. */
export function namedZod(sources: readonly Source[]): Violation[] {
  return sources.flatMap(({ file, text }) =>
    /^import\s+(?:type\s+)?\{[^}]*\}\s+from 'zod'/m.test(text) ? [`${file} imports zod by names, not \`* as z\``] : [],
  )
}
