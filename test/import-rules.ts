import { confined, type PackageModules, packageModules, plainEntries } from './modules.ts'
import { layers, partOf, reserved } from './server-layers.ts'
import type { ImportLine, Source } from './sources.ts'

/** A sentence that names the file, the line and the rule it breaks. */
export type Violation = string

const serverFolder = 'packages/server/src/'

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

/** Imports of the server that lead to a higher layer, or to a part that is reserved for others. */
export function upwardImports(sources: readonly Source[]): Violation[] {
  const server = sources.filter(({ pack, forTests }) => pack === 'server' && !forTests)
  return eachImport(server, ({ local }, { target, typeOnly }) => {
    if (!target.startsWith(serverFolder)) return undefined
    const from = partOf(local)
    const to = partOf(target.slice(serverFolder.length))
    if (from === to) return undefined
    if (reserved[to]?.includes(from) === false)
      return `only ${reserved[to].join(', ')} may use ${to} (test/server-layers.ts)`
    if (typeOnly || layers.indexOf(to) < layers.indexOf(from)) return undefined
    return `${to} stands above ${from} (test/server-layers.ts)`
  })
}

/** Parts of the server that the list of layers does not have, and entries of the list whose part is gone. */
export function unknownParts(sources: readonly Source[]): Violation[] {
  const server = sources.filter(({ pack, forTests }) => pack === 'server' && !forTests)
  const present = new Set(server.map(({ local }) => partOf(local)))
  return [
    ...[...present]
      .filter((part) => !layers.includes(part))
      .map((part) => `${serverFolder}${part} is not in test/server-layers.ts`),
    ...layers
      .filter((part) => !present.has(part))
      .map((part) => `test/server-layers.ts lists ${part}, which does not exist`),
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

const sharedWithHost = /^packages\/server\/src\/(?:secrets\.ts$|concurrency\/|gateway\/|public-address\/)/

/** Libraries that shared files may import, because the gateway host has them, too. */
const sharedLibraries = ['node:*', 'ipaddr.js', 'undici']

/**
 * Imports of the gateway host, at run time, of files of the server that it may not share, and what those import. It is
 * compiled with all of them, and runs without the libraries of the server.
 */
export function hostImports(sources: readonly Source[]): Violation[] {
  const isOfHost = ({ file }: Source) => file.startsWith('gateway-host/')
  const byFile = new Map(sources.map((source) => [source.file, source]))
  const reached = new Set(sources.filter((source) => isOfHost(source) && !source.forTests))
  const found: Violation[] = []
  // A set that is added to while it is walked also walks what was added.
  for (const source of reached) {
    for (const { line, target, typeOnly } of source.imports) {
      if (typeOnly) continue
      const place = `${source.file}:${line} imports ${target}`
      if (!ofOurs(target)) {
        if (isOfHost(source) || sharedLibraries.some((entry) => matches(entry, target))) continue
        found.push(`${place}: the gateway host shares this file, and does not have the library`)
        continue
      }
      if (!sharedWithHost.test(target)) found.push(`${place}: the gateway host may not share it`)
      const next = byFile.get(target)
      if (next) reached.add(next)
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
