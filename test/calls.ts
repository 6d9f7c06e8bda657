import { type Definition, definitionOf, type Files, type FunctionNode, isFunction } from './definitions.ts'
import { type Node, type Tree, treeOf } from './syntax.ts'

/** A call of a function. */
export type CallNode = Extract<Node, { type: 'CallExpression' }>

/** A node and the file it stands in. */
export interface Placed<N extends Node = Node> {
  readonly tree: Tree
  readonly node: N
}

/**
 * Returns the calls of a function that has a name. Undefined when it has none or is used in another way, such as passed
 * on to another function: then anything may call it.
 */
export function callsOf(files: Files, tree: Tree, fn: FunctionNode): Placed<CallNode>[] | undefined {
  const name = nameOf(tree, fn)
  if (name === undefined) return undefined
  const calls: Placed<CallNode>[] = []
  for (const use of usesOf(files, name)) {
    const definition = definitionOf(files, use.tree, use.node, use.name)
    if (definition === undefined || functionOf(definition) !== fn) continue
    const parent = use.tree.parents.get(use.node)
    if (parent?.type === 'CallExpression' && parent.callee === use.node) calls.push({ tree: use.tree, node: parent })
    else if (!isNaming(parent, use.node)) return undefined
  }
  return calls
}

/** Returns the function that a name stands for, if it stands for one. */
export function functionOf(definition: Definition): FunctionNode | undefined {
  if (definition.kind === 'function') return definition.fn
  const init = definition.kind === 'variable' && definition.part.path.length === 0 ? definition.declarator.init : null
  return init && isFunction(init) ? init : undefined
}

/** Returns what a function may return. */
export function returnsOf(fn: FunctionNode, tree: Tree): Node[] {
  const { body } = fn
  if (body === null) return []
  if (body.type !== 'BlockStatement') return [body]
  return inside(tree, body).flatMap((node) => (node.type === 'ReturnStatement' && node.argument ? [node.argument] : []))
}

/** Returns the nodes of a function that belong to no function inside it. */
function inside(tree: Tree, body: Node): Node[] {
  return tree.nodes.filter((node) => {
    if (node.start < body.start || node.end > body.end) return false
    let around = tree.parents.get(node)
    while (around !== undefined && around !== body && !isFunction(around)) around = tree.parents.get(around)
    return around === body
  })
}

function nameOf(tree: Tree, fn: FunctionNode): string | undefined {
  if (fn.id) return fn.id.name
  const parent = tree.parents.get(fn)
  return parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier' ? parent.id.name : undefined
}

/** Whether a name is only introduced, imported or exported, or used as a type. */
function isNaming(parent: Node | undefined, node: Node): boolean {
  if (parent === undefined) return false
  if (/^(?:Import|Export)\w*Specifier$|^TSTypeQuery$|^FunctionDeclaration$/.test(parent.type)) return true
  if (parent.type === 'VariableDeclarator') return parent.id === node
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed
  return 'key' in parent && parent.key === node && !('computed' in parent && parent.computed)
}

interface Use {
  readonly tree: Tree
  readonly node: Node
  readonly name: string
}

const uses = new WeakMap<Files, Map<string, Use[]>>()

/** Returns every place where a name stands, or one under which it was imported. */
function usesOf(files: Files, name: string): Use[] {
  const known = uses.get(files) ?? indexUses(files)
  uses.set(files, known)
  return known.get(name) ?? []
}

function indexUses(files: Files): Map<string, Use[]> {
  const index = new Map<string, Use[]>()
  const trees = [...files.values()].map(treeOf)
  const renamed = new Map<string, Set<string>>()
  for (const tree of trees) {
    for (const node of tree.nodes) {
      if (node.type !== 'ImportSpecifier' || node.imported.type !== 'Identifier') continue
      const { imported, local } = node
      if (imported.name !== local.name)
        renamed.set(local.name, (renamed.get(local.name) ?? new Set<string>()).add(imported.name))
    }
  }
  for (const tree of trees) {
    for (const node of tree.nodes) {
      if (node.type !== 'Identifier') continue
      const use = { tree, node, name: node.name }
      for (const name of [node.name, ...(renamed.get(node.name) ?? [])]) {
        const list = index.get(name)
        if (list === undefined) index.set(name, [use])
        else list.push(use)
      }
    }
  }
  return index
}
