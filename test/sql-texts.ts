import type { CallNode } from './calls.ts'
import { definitionOf, type Files } from './definitions.ts'
import type { Violation } from './import-rules.ts'
import { foreignParts } from './source-texts.ts'
import type { Source } from './sources.ts'
import { type Node, placeOf, type Tree, textOf, treeOf } from './syntax.ts'

/**
 * Parts of SQL whose text does not stand in our source, by the file of the statement: the expression that is inserted,
 * and why it is safe. A value belongs into a binding, `:name`; a name from the catalogue into `:name:`, which quotes
 * it.
 */
const allowedParts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'gateway-host/src/leases/lease-store.ts': { text: 'judged where #query is called' },
  'gateway-host/src/vault/committer.ts': { 'sql()': 'the constant parts of a commit, over numbered parameters' },
  'gateway-host/src/vault/vault.ts': { query: 'judged where #read is called' },
  'packages/server/src/platform/db/migrate.ts': { sql: 'the text of a migration, a file of ours' },
  'packages/server/src/upkeep/move/row-store.ts': {
    'rows()': 'names of the catalogue, which quotes them',
  },
}

/** What runs the SQL that callers of `rows` and `preparedRows` give it. It is judged where they write it. */
const carriers = ['packages/server/src/platform/db/db.ts', 'packages/server/src/platform/db/prepared.ts']

/** The packages whose statements are read, and that of the constants that these contain. */
const packs = ['server', 'gateway-host', 'cli', 'embedded-postgres', 'contract']

/** Returns the parts of SQL whose text does not stand in our source, so that a stranger could write them. */
export function foreignSql(sources: readonly Source[]): Violation[] {
  const product = sources.filter(({ pack, forTests }) => !forTests && packs.includes(pack))
  const files: Files = new Map(product.map((source) => [source.file, source]))
  return product
    .filter(({ file }) => !carriers.includes(file))
    .flatMap((source) => {
      const allowed = allowedParts[source.file] ?? {}
      const needed = new Set<string>()
      const tree = treeOf(source)
      const found = tree.nodes.flatMap((node) => {
        if (isGivenAway(tree, node)) return [`${placeOf(tree, node)} gives away ${textOf(tree, node)}: call it`]
        const sql = node.type === 'CallExpression' ? sqlIn(tree, node) : undefined
        const parts =
          sql === undefined
            ? []
            : foreignParts(files, tree, sql, (call) => sqlIn(tree, call) !== undefined, partOf(source))
        for (const { text } of parts) needed.add(text)
        return parts
          .filter(({ text }) => allowed[text] === undefined)
          .map(({ place, text }) => `${placeOf(tree, node)} runs SQL that contains ${text} (${place}): bind it`)
      })
      const needless = Object.keys(allowed).filter((text) => !needed.has(text))
      return [
        ...found,
        ...needless.map((text) => `${source.file}: remove the exception for ${text} (test/sql-texts.ts)`),
      ]
    })
}

/** The gateway host gives `pg` statements as objects: only their text counts. */
function partOf({ pack }: Source): readonly string[] {
  return pack === 'gateway-host' ? ['text'] : []
}

const runners = /^(?:rows|firstRow|preparedRows|preparedStatement)$/
const methods = /^(?:query|raw|\w+Raw|#query|#read)$/

/** Returns the argument of a call that is run as SQL. */
function sqlIn(tree: Tree, { callee, arguments: args }: CallNode): Node | undefined {
  if (callee.type === 'Identifier') return isRunner(tree, callee) || runners.test(callee.name) ? args[1] : undefined
  const method = methodOf(callee)
  // Queries the network of numbers, not the database.
  if (/^socket\.query$/.test(textOf(tree, callee))) return undefined
  if (runners.test(method)) return args[1]
  return methods.test(method) ? args[0] : undefined
}

/** Whether a function that runs SQL is used without a call, such as under another name or by `call`. */
function isGivenAway(tree: Tree, node: Node): boolean {
  const parent = tree.parents.get(node)
  if (node.type === 'Identifier' && isRunner(tree, node)) {
    const isCall = parent?.type === 'CallExpression' && parent.callee === node
    const isName = parent?.type === 'MemberExpression' && parent.property === node && !parent.computed
    const isKey = parent?.type === 'Property' && parent.key === node && !parent.shorthand
    return !isCall && !isName && !isKey && !/^(?:Import|Export)\w*Specifier$|^TS/.test(parent?.type ?? '')
  }
  const isMethod = methods.test(methodOf(node))
  return isMethod && parent !== undefined && /^(?:call|apply|bind)$/.test(methodOf(parent))
}

const noFiles: Files = new Map()

/** Whether a name stands for an imported function that runs SQL. */
function isRunner(tree: Tree, node: Extract<Node, { type: 'Identifier' }>): boolean {
  const definition = definitionOf(noFiles, tree, node, node.name)
  return (
    definition?.kind === 'import' && /\/(?:db|prepared)\.ts$/.test(definition.module) && runners.test(definition.name)
  )
}

function methodOf(node: Node): string {
  if (node.type !== 'MemberExpression') return ''
  if (node.property.type === 'PrivateIdentifier') return `#${node.property.name}`
  if (node.property.type === 'Identifier' && !node.computed) return node.property.name
  return node.property.type === 'Literal' ? String(node.property.value) : ''
}
