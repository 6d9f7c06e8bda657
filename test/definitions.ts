import type { ESTree } from 'rolldown/utils'
import { ownFile, type Source } from './sources.ts'
import { type Node, type Tree, treeOf } from './syntax.ts'

/** A function, as a declaration or as a value. */
export type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression

/** What gives a name its value, in the file of `tree`. */
export type Definition = { readonly tree: Tree } & (
  | {
      readonly kind: 'variable'
      readonly declarator: Extract<Node, { type: 'VariableDeclarator' }>
      readonly name: string
      readonly part: Part
    }
  | { readonly kind: 'parameter'; readonly fn: FunctionNode; readonly index: number; readonly part: Part }
  | { readonly kind: 'function'; readonly fn: FunctionNode }
  | { readonly kind: 'import'; readonly module: string; readonly name: string }
  | { readonly kind: 'other' }
)

/** Which part of a value has a name: `['b', '0']` in `{ b: [name] }`, where `*` stands for any. */
interface Part {
  readonly path: readonly string[]
  /** The values that stand in for missing ones. */
  readonly defaults: readonly Node[]
}

/** The files in which names are looked up, by their paths. */
export type Files = ReadonlyMap<string, Source>

type Scope = Map<string, Definition>
const scopesOf = new WeakMap<Tree, Map<Node, Scope>>()

const isBlock = /^(?:Program|BlockStatement|For\w*Statement|SwitchStatement|StaticBlock)$/

/** Whether a node is a function with a body. */
export function isFunction(node: Node | undefined): node is FunctionNode {
  return node !== undefined && /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)
}

/** Returns what defines a name at a node, also when another file exports it. Undefined for globals. */
export function definitionOf(files: Files, tree: Tree, at: Node, name: string): Definition | undefined {
  const scopes = scopesIn(tree)
  for (let node: Node | undefined = at; node !== undefined; node = tree.parents.get(node)) {
    const found = scopes.get(node)?.get(name)
    if (found !== undefined) return followed(files, found)
  }
  return undefined
}

/** Follows imports to the file that defines the name. A library stays an import. */
function followed(files: Files, definition: Definition): Definition {
  if (definition.kind !== 'import') return definition
  const file = fileOf(definition.tree.source.file, definition.module)
  return exported(files, file, definition.name) ?? definition
}

function fileOf(from: string, module: string): string {
  if (module === '@msgctl/contract') return 'packages/contract/src/index.ts'
  const [, pack, rest] = /^@msgctl\/(network|server)\/(.+)$/.exec(module) ?? []
  return pack ? `packages/${pack}/src/${rest}.ts` : (ownFile(from, module) ?? module)
}

function exported(files: Files, file: string, name: string): Definition | undefined {
  const source = files.get(file)
  if (source === undefined) return undefined
  const tree = treeOf(source)
  const [program] = tree.nodes
  const own = program && scopesIn(tree).get(program)?.get(name)
  if (own !== undefined) return followed(files, own)
  for (const node of tree.nodes) {
    if (node.type === 'ExportAllDeclaration') {
      const found = exported(files, fileOf(file, node.source.value), name)
      if (found !== undefined) return found
    }
    if (node.type === 'ExportNamedDeclaration' && node.source !== null) {
      const specifier = node.specifiers.find((each) => nameOf(each.exported) === name)
      if (specifier) return exported(files, fileOf(file, node.source.value), nameOf(specifier.local))
    }
  }
  return undefined
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' ? String(node.value) : ''
}

function scopesIn(tree: Tree): Map<Node, Scope> {
  const known = scopesOf.get(tree)
  if (known !== undefined) return known
  const scopes = new Map<Node, Scope>()
  const add = (scope: Node | undefined, name: string, definition: Definition) => {
    if (scope === undefined) return
    const names = scopes.get(scope) ?? new Map()
    scopes.set(scope, names.set(name, definition))
  }
  for (const node of tree.nodes) {
    if (node.type === 'VariableDeclarator') {
      const scope = blockAround(tree, node)
      for (const { name, part } of namesIn(node.id))
        add(scope, name, { tree, kind: 'variable', declarator: node, name, part })
    }
    if (isFunction(node)) {
      node.params.forEach((param, index) => {
        for (const { name, part } of namesIn(param)) add(node, name, { tree, kind: 'parameter', fn: node, index, part })
      })
      if (node.id) add(blockAround(tree, node), node.id.name, { tree, kind: 'function', fn: node })
    }
    if (node.type === 'ImportDeclaration') {
      for (const each of node.specifiers) {
        const name = each.type === 'ImportSpecifier' ? nameOf(each.imported) : '*'
        add(tree.nodes[0], each.local.name, { tree, kind: 'import', module: node.source.value, name })
      }
    }
    if (node.type === 'ClassDeclaration' && node.id) add(blockAround(tree, node), node.id.name, { tree, kind: 'other' })
    if (node.type === 'CatchClause' && node.param) {
      for (const { name } of namesIn(node.param)) add(node, name, { tree, kind: 'other' })
    }
  }
  scopesOf.set(tree, scopes)
  return scopes
}

function blockAround(tree: Tree, node: Node): Node | undefined {
  let block = tree.parents.get(node)
  while (block !== undefined && !isBlock.test(block.type)) block = tree.parents.get(block)
  return block
}

const whole: Part = { path: [], defaults: [] }

/** Returns the names that a pattern gives to the parts of a value. */
function namesIn(pattern: Node, part: Part = whole): { name: string; part: Part }[] {
  const inside = (key: string): Part => ({ ...part, path: [...part.path, key] })
  switch (pattern.type) {
    case 'Identifier':
      return [{ name: pattern.name, part }]
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) => {
        if (each.type === 'RestElement') return namesIn(each.argument, part)
        return namesIn(each.value, inside(each.computed ? '*' : nameOf(each.key)))
      })
    case 'ArrayPattern':
      return pattern.elements.flatMap((each, index) => {
        if (each === null) return []
        return each.type === 'RestElement' ? namesIn(each.argument, part) : namesIn(each, inside(String(index)))
      })
    case 'AssignmentPattern':
      return namesIn(pattern.left, { ...part, defaults: [...part.defaults, pattern.right] })
    case 'RestElement':
      return namesIn(pattern.argument, part)
    case 'TSParameterProperty':
      return namesIn(pattern.parameter, part)
    default:
      return []
  }
}
