import { confined, type PackageModules, packageModules, plainEntries } from './modules.ts'
import { doors, partsOfOne, roomOf, rooms } from './server-rooms.ts'
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

function ofServer(sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ pack, forTests }) => pack === 'server' && !forTests)
}

/** Imports between rooms of the server, as places from its src. */
function eachPassage(
  sources: readonly Source[],
  judge: (
    passage: { from: string; to: string; importer: string; target: string },
    line: ImportLine,
  ) => string | undefined,
): Violation[] {
  return eachImport(ofServer(sources), ({ local }, line) => {
    if (!line.target.startsWith(serverFolder)) return undefined
    const target = line.target.slice(serverFolder.length)
    const [from, to] = [roomOf(local), roomOf(target)]
    return from === to ? undefined : judge({ from, to, importer: local, target }, line)
  })
}

/** Imports of the server that lead to a higher room at run time. */
export function upwardImports(sources: readonly Source[]): Violation[] {
  return eachPassage(sources, ({ from, to }, { typeOnly }) => {
    if (typeOnly || rooms.indexOf(to) < rooms.indexOf(from)) return undefined
    return `${to} stands above ${from} (test/server-rooms.ts)`
  })
}

const isFile = (room: string): boolean => room.endsWith('.ts')

/** What puts the rooms together sees every file of them. */
const seesAll = (room: string): boolean => room === 'process' || isFile(room)

/** Imports, as types too, of a file of another room that is no door of it. */
export function closedDoors(sources: readonly Source[]): Violation[] {
  return eachPassage(sources, ({ from, to, target }) => {
    if (seesAll(from) || isFile(to)) return undefined
    return doors[to]?.includes(target) ? undefined : `it is no door of ${to} (test/server-rooms.ts)`
  })
}

/** Doors that no other room uses any more. */
export function unusedDoors(sources: readonly Source[]): Violation[] {
  const used = new Set<string>()
  eachPassage(sources, ({ from, target }) => {
    if (!seesAll(from)) used.add(target)
    return undefined
  })
  return Object.values(doors)
    .flat()
    .filter((door) => !used.has(door))
    .map((door) => `${serverFolder}${door}: no other room uses this door, close it (test/server-rooms.ts)`)
}

/** Imports of what only one room or folder may use, as types too. */
export function foreignParts(sources: readonly Source[]): Violation[] {
  return eachImport(ofServer(sources), ({ local }, { target }) => {
    if (!target.startsWith(serverFolder)) return undefined
    const part = Object.keys(partsOfOne).find((folder) => target.startsWith(serverFolder + folder))
    if (part === undefined || local.startsWith(part)) return undefined
    const users = partsOfOne[part] ?? []
    return users.some((user) => local.startsWith(user))
      ? undefined
      : `only ${users.join(', ')} may (test/server-rooms.ts)`
  })
}

/** Entries of the server's src that are no room, and rooms that are gone. */
export function unknownRooms(sources: readonly Source[]): Violation[] {
  const present = new Set(ofServer(sources).map(({ local }) => roomOf(local)))
  return [
    ...[...present]
      .filter((room) => !rooms.includes(room))
      .map((room) => `${serverFolder}${room} is not in test/server-rooms.ts`),
    ...rooms
      .filter((room) => !present.has(room))
      .map((room) => `test/server-rooms.ts lists ${room}, which does not exist`),
  ]
}

/** Imports of the server that climb: a file outside of one's own folder is named from the server's src by `#`. */
export function climbingImports(sources: readonly Source[]): Violation[] {
  return sources
    .filter(({ pack }) => pack === 'server')
    .flatMap(({ file, text }) =>
      /(?:from|import) '\.\.\//.test(text) ? [`${file} imports by '../': write '#room/...ts' (CONTRIBUTING.md)`] : [],
    )
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

/**
 * Imports of the gateway host at run time that leave its own folder in another way than by the port, `@msgctl/network`:
 * the host runs without the libraries of the server. Its tests use what they need of the server by name.
 */
export function hostImports(sources: readonly Source[]): Violation[] {
  return eachImport(sources, ({ file, forTests }, { target, typeOnly }) => {
    if (!file.startsWith('gateway-host/') || typeOnly) return undefined
    if (ofOurs(target)) return 'another package is imported by its name'
    const isOfPort = target.startsWith('@msgctl/network/')
    return forTests || isOfPort || !target.startsWith('@msgctl/') ? undefined : 'it may import @msgctl/network only'
  })
}

/** Namespace imports of zod are what keeps the rest of it out of bundles. */
export function namedZod(sources: readonly Source[]): Violation[] {
  return sources.flatMap(({ file, text }) =>
    /^import\s+(?:type\s+)?\{[^}]*\}\s+from 'zod'/m.test(text) ? [`${file} imports zod by names, not \`* as z\``] : [],
  )
}
