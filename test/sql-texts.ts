import type { CallNode } from './calls.ts'
import type { Files } from './definitions.ts'
import type { Violation } from './import-rules.ts'
import { foreignParts } from './source-texts.ts'
import type { Source } from './sources.ts'
import { type Node, placeOf, treeOf } from './syntax.ts'

/**
 * Parts of SQL whose text does not stand in our source, by the file of the statement: the expression that is inserted, and why
 * it is safe. A value belongs into a binding, `:name`; a name from the catalogue into `:name:`, which quotes it.
 */
const allowedParts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'packages/server/src/db/migrate.ts': { sql: 'the text of a migration, a file of ours' },
  'packages/server/src/move/row-store.ts': {
    'rows()': 'names of the catalogue, which quotes them',
  },
}

/** What runs the SQL that callers of `rows` and `preparedRows` give it. It is judged where they write it. */
const carriers = ['packages/server/src/db/db.ts', 'packages/server/src/db/prepared.ts']

/** Returns the parts of SQL whose text does not stand in our source, so that a stranger could write them. */
export function foreignSql(sources: readonly Source[]): Violation[] {
  const product = sources.filter(({ pack, forTests }) => !forTests && (pack === 'server' || pack === 'contract'))
  const files: Files = new Map(product.map((source) => [source.file, source]))
  return product
    .filter(({ pack, file }) => pack === 'server' && !carriers.includes(file))
    .flatMap((source) => {
      const allowed = allowedParts[source.file] ?? {}
      const needed = new Set<string>()
      const tree = treeOf(source)
      const found = tree.nodes.flatMap((node) => {
        const sql = node.type === 'CallExpression' ? sqlIn(node) : undefined
        const parts = sql === undefined ? [] : foreignParts(files, tree, sql, (call) => sqlIn(call) !== undefined)
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

/** Returns the argument of a call that is run as SQL. */
function sqlIn({ callee, arguments: args }: CallNode): Node | undefined {
  if (callee.type === 'Identifier')
    return /^(?:rows|preparedRows|preparedStatement)$/.test(callee.name) ? args[1] : undefined
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined
  return /^(?:query|raw|\w+Raw)$/.test(callee.property.name) ? args[0] : undefined
}
