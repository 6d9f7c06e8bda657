import { type ESTree, parseSync } from 'rolldown/utils'
import type { Source } from './sources.ts'

/** The name of a file, and what is in it. */
type Text = Pick<Source, 'file' | 'text'>

/** A node of a syntax tree: ESTree, with the nodes of TypeScript. */
export type Node = ESTree.Node

/** The syntax tree of one source file. */
export interface Tree {
  readonly source: Text
  /** Every node, a parent before its children. The first one is the program. */
  readonly nodes: readonly Node[]
  /** The parent of every node but the program. */
  readonly parents: ReadonlyMap<Node, Node>
}

const trees = new WeakMap<Text, Tree>()

/** Returns the syntax tree of a source. Each source is parsed once. Throws when its text cannot be parsed. */
export function treeOf(source: Text): Tree {
  const known = trees.get(source)
  if (known !== undefined) return known
  const { program, errors } = parseSync(source.file, source.text)
  if (errors[0] !== undefined) throw new Error(`${source.file}: ${errors[0].message}`)
  const nodes: Node[] = [program]
  const parents = new Map<Node, Node>()
  // An array that grows while it is walked also walks what was added.
  for (const node of nodes) {
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (!isNode(child)) continue
        parents.set(child, node)
        nodes.push(child)
      }
    }
  }
  const tree = { source, nodes, parents }
  trees.set(source, tree)
  return tree
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Returns the place of a node, such as `packages/server/src/main.ts:12`. */
export function placeOf({ source }: Tree, { start }: Node): string {
  return `${source.file}:${source.text.slice(0, start).split('\n').length}`
}

/** Returns the text of a node in one line. */
export function textOf({ source }: Tree, { start, end }: Node): string {
  return source.text.slice(start, end).replaceAll(/\s+/g, ' ')
}
