import type { CallNode } from './calls.ts'
import { definitionOf, type Files } from './definitions.ts'
import { slowText } from './expression-steps.ts'
import type { Violation } from './import-rules.ts'
import type { Source } from './sources.ts'
import { type Node, placeOf, type Tree, textOf, treeOf } from './syntax.ts'

interface SlowExpression {
  readonly file: string
  readonly pattern: string
  /** Why its input is short enough. */
  readonly why: string
}

/**
 * Expressions that may take more than linear time. Make one linear instead where you can: `(?<!x)x+` begins only at the
 * first of many x, and `{1,40}` ends where `+` would not.
 */
const allowedSlow: readonly SlowExpression[] = []

/** A regular expression of a source. */
interface Expression {
  readonly node: Node
  /** Undefined where the source does not say what it is. */
  readonly pattern: string | undefined
  readonly flags: string
}

/**
 * Returns the expressions of the product that take more than linear time, and those whose text is not in the source.
 */
export function slowExpressions(
  sources: readonly Source[],
  allowed: readonly SlowExpression[] = allowedSlow,
): Violation[] {
  return sources
    .filter(({ forTests }) => !forTests)
    .flatMap((source) => {
      const slow = new Set<string>()
      const tree = treeOf(source)
      const found = tree.nodes.flatMap((node) => {
        const expression = expressionIn(tree, node)
        if (expression === undefined) return []
        const { pattern, flags } = expression
        if (pattern === undefined) return [`${placeOf(tree, node)}: write the text of this expression here`]
        const text = textThatSlows(pattern, flags)
        if (text === undefined) return []
        slow.add(pattern)
        if (allowedIn(allowed, source.file).includes(pattern)) return []
        return [`${placeOf(tree, node)} takes more than linear time for ${text}: /${pattern}/${flags}`]
      })
      return [...found, ...needless(allowed, source.file, slow)]
    })
}

function allowedIn(allowed: readonly SlowExpression[], file: string): string[] {
  return allowed.filter((each) => each.file === file).map(({ pattern }) => pattern)
}

/** Exceptions that nothing needs any more. */
function needless(allowed: readonly SlowExpression[], file: string, slow: ReadonlySet<string>): Violation[] {
  return allowedIn(allowed, file)
    .filter((pattern) => !slow.has(pattern))
    .map((pattern) => `${file}: remove the exception for /${pattern}/ (test/expressions.ts)`)
}

const known = new Map<string, string | undefined>()

function textThatSlows(pattern: string, flags: string): string | undefined {
  const key = `/${pattern}/${flags}`
  if (!known.has(key)) known.set(key, slowText(pattern, flags))
  return known.get(key)
}

function expressionIn(tree: Tree, node: Node): Expression | undefined {
  if (node.type === 'Literal' && 'regex' in node) return { node, ...node.regex }
  if (isOtherUse(tree, node)) return { node, pattern: undefined, flags: '' }
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined
  const [pattern, flags] = node.arguments
  if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp')
    return { node, pattern: pattern && constantText(tree, pattern), flags: (flags && constantText(tree, flags)) ?? '' }
  return node.type === 'CallExpression' && isMatching(node) && pattern && mayBeText(tree, pattern)
    ? { node, pattern: constantText(tree, pattern), flags: '' }
    : undefined
}

/** Whether the constructor of expressions is used without a call, such as under another name. */
function isOtherUse(tree: Tree, node: Node): boolean {
  const parent = tree.parents.get(node)
  if (node.type !== 'Identifier' || node.name !== 'RegExp' || parent === undefined) return false
  const isCall = (parent.type === 'NewExpression' || parent.type === 'CallExpression') && parent.callee === node
  return !isCall && !/^TS/.test(parent.type) && !(parent.type === 'BinaryExpression' && parent.right === node)
}

/** Whether a call makes an expression of its argument, if that is a text. */
function isMatching({ callee, arguments: args }: CallNode): boolean {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || args.length !== 1) return false
  return /^(?:match|matchAll|search)$/.test(callee.property.name)
}

/** Whether an argument may be a text: no object, no expression, and no name that stands for one. */
function mayBeText(tree: Tree, node: Node): boolean {
  if (node.type === 'Literal') return !('regex' in node)
  if (/^(?:Object|Array|ArrowFunction|New)Expression$|^SpreadElement$/.test(node.type)) return false
  const definition = node.type === 'Identifier' ? definitionOf(noFiles, tree, node, node.name) : undefined
  if (definition?.kind === 'import') return false
  if (definition?.kind === 'variable') {
    const { init } = definition.declarator
    return definition.part.path.length > 0 || init === null || mayBeText(tree, init)
  }
  const param = definition?.kind === 'parameter' ? definition.fn.params[definition.index] : undefined
  return param === undefined || !/:\s*RegExp$/.test(textOf(tree, param))
}

const noFiles: Files = new Map()

/**
 * Returns the text that constants of the file are composed to, or undefined. A number of rounds that is inserted reads
 * as 9.
 */
function constantText(tree: Tree, node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'Identifier') {
    const definition = definitionOf(noFiles, tree, node, node.name)
    if (definition?.kind !== 'variable' || definition.part.path.length > 0) return undefined
    const { declarator } = definition
    const declaration = tree.parents.get(declarator)
    const isConstant = declaration?.type === 'VariableDeclaration' && declaration.kind === 'const'
    return isConstant && declarator.init ? constantText(tree, declarator.init) : undefined
  }
  if (node.type === 'CallExpression') return joinedText(tree, node)
  const isRaw = node.type === 'TaggedTemplateExpression' && textOf(tree, node.tag) === 'String.raw'
  const template = isRaw ? node.quasi : node
  if (template.type !== 'TemplateLiteral') return undefined
  const parts = template.quasis.map(({ value }) => (isRaw ? value.raw : (value.cooked ?? value.raw)))
  const inserted = template.expressions.map((each, n) => {
    const isCount = /\{(?:\d+,)?$/.test(parts[n] ?? '') && /^(?:,\d*)?\}/.test(parts[n + 1] ?? '')
    return constantText(tree, each) ?? (isCount ? '9' : undefined)
  })
  return inserted.includes(undefined) ? undefined : parts.map((part, n) => part + (inserted[n] ?? '')).join('')
}

/** Returns the text of `[...].join('...')`, or undefined. */
function joinedText(tree: Tree, { callee, arguments: [separator] }: CallNode): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'ArrayExpression' || !separator) return undefined
  if (callee.property.type !== 'Identifier' || callee.property.name !== 'join') return undefined
  const texts = [separator, ...callee.object.elements].map((each) => each && constantText(tree, each))
  const [between, ...all] = texts.flatMap((text) => text ?? [])
  return all.length === texts.length - 1 ? all.join(between) : undefined
}
