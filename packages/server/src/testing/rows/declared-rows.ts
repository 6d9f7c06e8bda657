import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CallExpression, isCallExpression, isIdentifier, type Node } from 'typescript/unstable/ast'
import { API, type Checker, type Program, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync'
import type { CallSite, Kind, ObjectType, RowTypes, ValueType } from './types.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const cache = path.join(root, 'node_modules/.cache/msgctl')
/** The packages whose types the rows of the server use. */
const packages = ['server', 'contract', 'network', 'client', 'webhook-verifier', 'embedded-postgres']

/**
 * Returns the file with the declared rows of all calls of `rows`, `firstRow` and `preparedRows` in the product. It is
 * made by the compiler when a source has changed since.
 */
export function declaredRowsFile(): string {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)))
  for (const file of sourceFiles()) hash.update(file).update(readFileSync(path.join(root, file)))
  const file = path.join(cache, `declared-rows-${hash.digest('hex').slice(0, 16)}.json`)
  try {
    readFileSync(file)
  } catch {
    mkdirSync(cache, { recursive: true })
    writeFileSync(file, JSON.stringify(readDeclaredRows()))
  }
  return file
}

function sourceFiles(): string[] {
  return packages
    .map((name) => `packages/${name}/src`)
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing/'))
        .map((file) => `${folder}/${file}`),
    )
    .sort()
}

/** Asks the compiler for the types of the rows. It reads the sources of all packages: what is built may be older. */
function readDeclaredRows(): RowTypes {
  const config = path.join(cache, 'declared-rows.tsconfig.json')
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(root, 'tsconfig.base.json'),
      compilerOptions: { composite: false, noEmit: true, customConditions: ['@msgctl/source'], rootDir: root },
      files: sourceFiles()
        .filter((file) => file.startsWith('packages/server/'))
        .map((file) => path.join(root, file)),
    }),
  )
  const api = new API({ cwd: root })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error('the compiler did not open the sources of the server')
    return new Reader(project.checker).read(project.program)
  } finally {
    api.close()
  }
}

class Reader {
  readonly #checker: Checker
  readonly #types: ValueType[] = []
  readonly #places = new Map<number, number>()

  constructor(checker: Checker) {
    this.#checker = checker
  }

  read(program: Program): RowTypes {
    const sites: CallSite[] = []
    for (const file of sourceFiles()) {
      if (!file.startsWith('packages/server/') || file.endsWith('platform/db/db.ts')) continue
      const full = path.join(root, file)
      if (!/\b(?:rows|firstRow|preparedRows)\b/.test(readFileSync(full, 'utf8'))) continue
      const source = program.getSourceFile(full)
      if (source === undefined) throw new Error(`the compiler did not read ${file}`)
      for (const call of callsIn(source)) {
        const { line, character } = source.getLineAndCharacterOfPosition(call.getStart(source))
        sites.push({ file, line: line + 1, column: character + 1, type: this.#place(this.#rowOf(call)) })
      }
    }
    return { sites, types: this.#types }
  }

  /** The row in the type of a call, `Promise<Row[]>` or `Promise<Row | undefined>`. */
  #rowOf(call: CallExpression): Type {
    const promise = this.#checker.getTypeAtLocation(call)
    const given = promise?.isTypeReference() ? this.#checker.getTypeArguments(promise)[0] : undefined
    const list = given?.isTypeReference() && this.#isList(given) ? given : undefined
    const row = list ? this.#checker.getTypeArguments(list)[0] : given && this.#checker.getNonNullableType(given)
    if (row === undefined) throw new Error(`the compiler knows no rows of ${call.getText()}`)
    return row
  }

  #place(type: Type): number {
    const known = this.#places.get(type.id)
    if (known !== undefined) return known
    const place = this.#types.length
    this.#places.set(type.id, place)
    // A type may contain itself.
    this.#types.push(anything)
    this.#types[place] = this.#valueType(type)
    return place
  }

  #valueType(type: Type): ValueType {
    const parts = type.isUnionType() ? type.getTypes() : [type]
    if (parts.some(isAny)) return anything
    const kinds = parts.flatMap((part) => kindOf(part) ?? [])
    const literals = parts.flatMap((part) => (part.isLiteralType() ? [part.value as string] : []))
    const isBoolean = literals.includes(true as never) && literals.includes(false as never)
    const others = parts.filter((part) => kindOf(part) === undefined && !part.isLiteralType())
    const lists = others.filter((part) => this.#isList(part))
    return {
      kinds: isBoolean ? [...kinds, 'boolean'] : kinds,
      literals: isBoolean ? literals.filter((literal) => typeof literal !== 'boolean') : literals,
      items: lists.flatMap((part) =>
        this.#checker.getTypeArguments(part as never).map((argument) => this.#place(argument)),
      ),
      objects: others.filter((part) => !lists.includes(part)).map((part) => this.#objectType(part)),
    }
  }

  #isList(type: Type): boolean {
    return this.#checker.isArrayType(type) || this.#checker.isTupleType(type)
  }

  #objectType(type: Type): ObjectType {
    // A brand has a symbol for its name, and no value.
    const symbols = this.#checker.getPropertiesOfType(type).filter(({ name }) => !name.startsWith('__@'))
    const types = this.#checker.getTypeOfSymbol(symbols)
    const members = symbols.map(({ name, flags }, at) => {
      const own = types[at]
      return [name, [own ? this.#place(own) : this.#anyPlace(), (flags & SymbolFlags.Optional) !== 0]] as const
    })
    const [index] = this.#checker.getIndexInfosOfType(type)
    return { members: Object.fromEntries(members), others: index && this.#place(index.valueType) }
  }

  #anyPlace(): number {
    return this.#types.push(anything) - 1
  }
}

const anything: ValueType = { any: true, kinds: [], literals: [], items: [], objects: [] }

const unread = TypeFlags.AnyOrUnknown | TypeFlags.NonPrimitive | TypeFlags.Instantiable

/** Whether a type says nothing of its values: `unknown`, `object`, or a parameter that the caller of a caller knows. */
function isAny({ flags }: Type): boolean {
  return (flags & unread & ~(TypeFlags.TemplateLiteral | TypeFlags.StringMapping)) !== 0
}

const kindsOfFlags: readonly (readonly [TypeFlags, Kind])[] = [
  [TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping, 'string'],
  [TypeFlags.Number, 'number'],
  [TypeFlags.Null, 'null'],
  [TypeFlags.Undefined | TypeFlags.Void, 'undefined'],
]

const kindsOfClasses: Readonly<Record<string, Kind>> = { Date: 'Date', Buffer: 'Buffer', Uint8Array: 'Buffer' }

/** Returns the kind of a primitive type, also of one with a brand, and of the classes that the driver makes. */
function kindOf(type: Type): Kind | undefined {
  if (type.isIntersectionType())
    return type
      .getTypes()
      .map(kindOf)
      .find((kind) => kind !== undefined)
  const known = kindsOfFlags.find(([flags]) => (type.flags & flags) !== 0)
  if (known !== undefined) return known[1]
  return type.isObjectType() ? kindsOfClasses[type.getSymbol()?.name ?? ''] : undefined
}

function* callsIn(node: Node): Generator<CallExpression> {
  if (
    isCallExpression(node) &&
    isIdentifier(node.expression) &&
    /^(?:rows|firstRow|preparedRows)$/.test(node.expression.text)
  )
    yield node
  const children: Node[] = []
  node.forEachChild((child) => {
    children.push(child)
  })
  for (const child of children) yield* callsIn(child)
}
