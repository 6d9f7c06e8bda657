import { type CallNode, callsOf, functionOf, returnsOf } from './calls.ts'
import { type Definition, definitionOf, type Files, type FunctionNode, isFunction } from './definitions.ts'
import { type Node, placeOf, type Tree, textOf } from './syntax.ts'

/** An expression, the part of its value that counts, and the calls in which it is evaluated, the innermost first. */
interface Origin {
  readonly tree: Tree
  readonly node: Node
  readonly path: readonly string[]
  readonly calls: readonly Call[]
}

interface Call {
  readonly fn: FunctionNode
  readonly args: readonly Origin[]
}

/** What an expression consists of; undefined when it may be any text. */
type Parts = readonly Origin[] | undefined

/** An expression whose text need not stand in the source. */
export interface ForeignPart {
  readonly place: string
  /** The expression; for a call, the function with `()`. */
  readonly text: string
}

/** Methods that return what the object and the arguments consist of. */
const joining =
  /^(?:join|slice|substring|split|trim\w*|to(?:Lower|Upper)Case|toString|pad\w+|repeat|replace\w*|entries|keys|values)$/
/** Methods that return a list of elements of the object. */
const selecting = /^(?:filter|sort|reverse|toSorted|toReversed|concat)$/
const picking = /^(?:find|findLast|at|get)$/
const mapping = /^(?:map|flatMap)$/
/** Methods that call a function with each element and its place. */
const iterating = /^(?:map|flatMap|filter|find|findLast|some|every)$/
const replacing = /^replace(?:All)?$/
const adding = /^(?:push|unshift|add|set)$/
const mostCalls = 12

/**
 * Returns the parts of an expression that may have any text. There are none when everything that it can become stands
 * in the source as a literal, or is a computed number. Names are followed through variables, functions, their callers
 * and imports. What a call returns for which `isForeign` holds is not followed. `path` names the part of the value that
 * counts.
 */
export function foreignParts(
  files: Files,
  tree: Tree,
  node: Node,
  isForeign: (call: CallNode) => boolean,
  path: readonly string[] = [],
): ForeignPart[] {
  const found = new Map<Node, ForeignPart>()
  const seen = new Set<string>()
  const origins: Origin[] = [{ tree, node, path, calls: [] }]
  // An array that grows while it is walked also walks what was added.
  for (const origin of origins) {
    // What is being followed already adds nothing to itself.
    const key = `${keyOf(origin)} ${origin.calls.map(({ fn, args }) => `${fn.start} ${args.map(keyOf)}`)}`
    if (seen.has(key)) continue
    seen.add(key)
    const { tree, node, calls } = origin
    const isCut = calls.length > mostCalls || (node.type === 'CallExpression' && isForeign(node))
    const parts = isCut ? undefined : partsOf(files, origin)
    if (parts !== undefined) origins.push(...parts)
    else {
      const text = node.type === 'CallExpression' ? `${textOf(tree, node.callee)}()` : textOf(tree, node)
      found.set(node, { place: placeOf(tree, node), text })
    }
  }
  return [...found.values()]
}

function keyOf({ tree, node, path }: Origin): string {
  return `${tree.source.file} ${node.start} ${node.end} ${node.type} ${path.join('.')}`
}

function partsOf(files: Files, origin: Origin): Parts {
  const { tree, node, path } = origin
  switch (node.type) {
    case 'Literal':
    case 'UnaryExpression':
    case 'UpdateExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return []
    case 'TemplateLiteral':
      return at(origin, node.expressions, [])
    case 'TaggedTemplateExpression':
      return textOf(tree, node.tag) === 'String.raw' ? at(origin, node.quasi.expressions, []) : undefined
    case 'BinaryExpression':
      return node.operator === '+' ? at(origin, [node.left, node.right], []) : []
    case 'LogicalExpression':
      return at(origin, node.operator === '&&' ? [node.right] : [node.left, node.right])
    case 'ConditionalExpression':
      return at(origin, [node.consequent, node.alternate])
    case 'AwaitExpression':
    case 'SpreadElement':
      return at(origin, [node.argument])
    case 'ParenthesizedExpression':
    case 'ChainExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return at(origin, [node.expression])
    case 'ArrayExpression':
      return elementsOf(origin, node.elements)
    case 'ObjectExpression':
      return propertiesOf(origin, node.properties)
    case 'MemberExpression': {
      const name = propertyOf(node)
      return name === 'length' && path.length === 0 ? [] : at(origin, [node.object], [name ?? '*', ...path])
    }
    case 'Identifier':
      return named(files, origin, node.name)
    case 'CallExpression':
      return returned(files, origin, node)
    case 'NewExpression':
      return /^(?:Set|Map)$/.test(textOf(tree, node.callee)) ? at(origin, node.arguments) : undefined
    default:
      return undefined
  }
}

/** Returns other nodes in the place of an origin. */
function at(origin: Origin, nodes: readonly (Node | null)[], path = origin.path): Origin[] {
  return nodes.flatMap((node) => (node === null ? [] : [{ ...origin, node, path }]))
}

function elementsOf(origin: Origin, elements: readonly (Node | null)[]): Origin[] {
  const [index = '*', ...rest] = origin.path
  const isSpread = (node: Node | null | undefined) => node?.type === 'SpreadElement'
  const one = elements.some(isSpread) ? undefined : elements[Number(index)]
  if (one) return at(origin, [one], rest)
  return elements.flatMap((element) => at(origin, [element], isSpread(element) ? ['*', ...rest] : rest))
}

function propertiesOf(
  origin: Origin,
  properties: readonly Extract<Node, { type: 'Property' | 'SpreadElement' }>[],
): Origin[] {
  const [key = '*', ...rest] = origin.path
  const own = properties.find((each) => each.type === 'Property' && !each.computed && keyText(each.key) === key)
  if (own?.type === 'Property') return at(origin, [own.value], rest)
  return properties.flatMap((each) => {
    if (each.type === 'SpreadElement') return at(origin, [each])
    if (each.computed) return at(origin, [each.key, each.value], rest)
    return key === '*' ? at(origin, [each.value], rest) : []
  })
}

function named(files: Files, origin: Origin, name: string): Parts {
  if (/^(?:undefined|NaN|Infinity)$/.test(name)) return []
  const definition = definitionOf(files, origin.tree, origin.node, name)
  if (definition?.kind === 'variable') return valuesOf(files, origin, definition)
  if (definition?.kind === 'parameter') return argumentsOf(files, origin, definition)
  return definition?.kind === 'function' ? [] : undefined
}

function valuesOf(files: Files, origin: Origin, definition: Extract<Definition, { kind: 'variable' }>): Parts {
  const { tree, declarator, name, part } = definition
  const from = { ...origin, tree }
  const path = [...part.path, ...origin.path]
  const declaration = tree.parents.get(declarator)
  const loop = declaration && tree.parents.get(declaration)
  if (loop?.type === 'ForOfStatement' && loop.left === declaration)
    return [...at(from, part.defaults), ...at(from, [loop.right], ['*', ...path])]
  const isIt = (node: Node) => {
    if (node.type !== 'Identifier' || node.name !== name) return false
    const found = definitionOf(files, tree, node, name)
    return found?.kind === 'variable' && found.declarator === declarator
  }
  const later = tree.nodes.flatMap((node) => valuesIn(from, node, isIt))
  return [...at(from, part.defaults), ...at(from, [declarator.init], path), ...later]
}

/** What a statement assigns to a variable, or adds to its list. */
function valuesIn(origin: Origin, node: Node, isIt: (node: Node) => boolean): Origin[] {
  if (node.type === 'AssignmentExpression') {
    if (isIt(node.left)) return at(origin, [node.right])
    const isPart = node.left.type === 'MemberExpression' && isIt(node.left.object)
    return isPart ? at(origin, [node.right], []) : []
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return []
  const isAdding = adding.test(propertyOf(node.callee) ?? '') && isIt(node.callee.object)
  return isAdding ? at(origin, node.arguments, []) : []
}

function argumentsOf(files: Files, origin: Origin, definition: Extract<Definition, { kind: 'parameter' }>): Parts {
  const { tree, fn, index, part } = definition
  const from = { ...origin, tree }
  const path = [...part.path, ...origin.path]
  const defaults = at(from, part.defaults)
  const call = origin.calls.find((each) => each.fn === fn)
  if (call !== undefined) {
    const arg = call.args[index]
    return arg === undefined ? defaults : [...defaults, { ...arg, path: [...arg.path, ...path] }]
  }
  const parent = tree.parents.get(fn)
  if (parent?.type === 'CallExpression' && parent.callee.type === 'MemberExpression') {
    const { callee, arguments: args } = parent
    const method = propertyOf(callee) ?? ''
    if (args[0] === fn && index < 2 && iterating.test(method))
      return index === 0 ? at(from, [callee.object], ['*', ...path]) : []
    // What it is given are parts of the text.
    if (args[1] === fn && replacing.test(method)) return at(from, [callee.object], [])
  }
  const calls = callsOf(files, tree, fn)
  // Without a call in the product, anything may be given.
  if (calls === undefined || calls.length === 0) return undefined
  const given = calls.flatMap(({ tree, node }) => {
    const spread = node.arguments.slice(0, index + 1).find(({ type }) => type === 'SpreadElement')
    const arg = spread ?? node.arguments[index] ?? null
    return at({ tree, node, path: spread ? [] : path, calls: [] }, [arg])
  })
  return [...defaults, ...given]
}

function returned(files: Files, origin: Origin, { callee, arguments: args }: CallNode): Parts {
  const { tree, path } = origin
  const text = textOf(tree, callee)
  if (/^(?:Number|Boolean|parseInt|Math\.\w+|Date\.now)$/.test(text)) return []
  if (/^(?:String|Object\.\w+|JSON\.stringify|structuredClone)$/.test(text)) return at(origin, args, [])
  const fn = functionAt(files, origin, callee)
  if (fn !== undefined) {
    if (fn.node.generator || args.some(({ type }) => type === 'SpreadElement')) return undefined
    return returnsIn(origin, fn, at(origin, args, []))
  }
  const method = callee.type === 'MemberExpression' ? propertyOf(callee) : undefined
  if (callee.type !== 'MemberExpression' || method === undefined) return undefined
  if (mapping.test(method)) {
    const mapped = args[0] && functionAt(files, origin, args[0])
    return mapped && returnsIn({ ...origin, path: path.slice(1) }, mapped, at(origin, [callee.object], ['*']))
  }
  if (selecting.test(method)) return at(origin, [callee.object, ...args.filter((arg) => !isFunction(arg))])
  if (picking.test(method)) return at(origin, [callee.object], ['*', ...path])
  if (!joining.test(method)) return undefined
  const replacements = args.flatMap((arg) => (isFunction(arg) ? returnsOf(arg, tree) : []))
  return at(origin, [callee.object, ...args, ...replacements], [])
}

interface PlacedFunction {
  readonly tree: Tree
  readonly node: FunctionNode
}

function returnsIn(origin: Origin, { tree, node }: PlacedFunction, args: readonly Origin[]): Origin[] {
  return at({ ...origin, tree, calls: [{ fn: node, args }, ...origin.calls] }, returnsOf(node, tree))
}

/** Returns the function that an expression stands for, if it is known. */
function functionAt(files: Files, origin: Origin, node: Node): PlacedFunction | undefined {
  if (isFunction(node)) return { tree: origin.tree, node }
  const definition = node.type === 'Identifier' ? definitionOf(files, origin.tree, node, node.name) : undefined
  if (definition?.kind === 'parameter' && definition.part.path.length === 0) {
    const arg = origin.calls.find(({ fn }) => fn === definition.fn)?.args[definition.index]
    return arg && arg.path.length === 0 ? functionAt(files, arg, arg.node) : undefined
  }
  const fn = definition && functionOf(definition)
  return definition && fn && { tree: definition.tree, node: fn }
}

function propertyOf({ property, computed }: Extract<Node, { type: 'MemberExpression' }>): string | undefined {
  if (!computed) return keyText(property)
  return property.type === 'Literal' ? String(property.value) : undefined
}

function keyText(key: Node): string {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : ''
}
