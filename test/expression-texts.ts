import type { AST } from '@eslint-community/regexpp'

/** A text that repeats its middle part: `prefix + pump.repeat(n) + tail`. */
export interface PumpedText {
  readonly prefix: string
  readonly pump: string
  readonly tail: string
}

/** Characters that are tried besides those of the expression. */
const others = ['a', 'Z', '0', '_', ' ', '\t', '\n', '-', '.', ',', ':', '/', '"', 'é', '€', '٣', '中', '\u0000']

/**
 * Returns the texts that try an expression. What leads to each of its loops; then its own characters, pairs of them and
 * texts that its parts match, to be repeated; then an end that fits or does not.
 */
export function pumpedTexts(pattern: AST.Pattern, flags: string): PumpedText[] {
  const nodes = nodesOf(pattern)
  const characters = characterKinds(nodes, flags)
  const rarest = characters.findLast((character) => character !== '\n') ?? ''
  const sample = (node: AST.Node) => sampleOf(node, characters, flags)
  const leads = new Set(nodes.filter(isLoop).map((loop) => leadTo(loop, sample)))
  const parts = nodes.filter(({ type }) => type === 'Alternative' || type === 'Quantifier')
  const pumps = new Set([
    ...characters,
    ...characters.flatMap((first) => characters.map((second) => first + second)),
    ...[...leads].flatMap((lead) => ['', ...characters].map((character) => lead + character)),
    ...parts.map(sample),
  ])
  pumps.delete('')
  const tails = new Set(['', '\n', rarest, `${rarest}\n`])
  // The rarest character prevents what is anchored to the beginning.
  return [...leads.add('').add(rarest)].flatMap((prefix) =>
    [...pumps].flatMap((pump) => [...tails].map((tail) => ({ prefix, pump, tail }))),
  )
}

/** Returns all nodes of an expression down to its characters and sets of characters, a parent before its children. */
export function nodesOf(pattern: AST.Pattern): AST.Node[] {
  const found: AST.Node[] = [pattern]
  // An array that grows while it is walked also walks what was added.
  for (const node of found) {
    if (node.type === 'Alternative') found.push(...node.elements)
    else if (node.type === 'Quantifier') found.push(node.element)
    else if ('alternatives' in node) found.push(...node.alternatives)
  }
  return found
}

/** Whether a node repeats something. */
export function isLoop(node: AST.Node): node is AST.Quantifier {
  return node.type === 'Quantifier' && node.max > 1
}

function isSet(node: AST.Node): boolean {
  return node.type === 'Character' || node.type === 'CharacterSet' || node.type.endsWith('CharacterClass')
}

function matcherOf(raw: string, flags: string): RegExp {
  return new RegExp(`^(?:${raw})$`, flags.replaceAll(/[gy]/g, ''))
}

/**
 * Returns one character of each kind that the expression distinguishes: two characters are of one kind when the same
 * sets of it contain them. Those in the fewest sets come last.
 */
function characterKinds(nodes: readonly AST.Node[], flags: string): string[] {
  const sets = new Set(nodes.filter(isSet).map(({ raw }) => raw)).add(String.raw`\w`)
  const matchers = [...sets].map((raw) => matcherOf(raw, flags))
  const kinds = new Map<string, string>()
  for (const character of [...nodes.flatMap((node) => ownCharacters(node, flags)), ...others]) {
    const kind = matchers.map((matcher) => (matcher.test(character) ? '1' : '')).join()
    if (!kinds.has(kind)) kinds.set(kind, character)
  }
  return [...kinds].sort(([one], [other]) => other.length - one.length).map(([, character]) => character)
}

function ownCharacters(node: AST.Node, flags: string): string[] {
  const own = (child: AST.Node) => ownCharacters(child, flags)
  if (node.type === 'Character') return [String.fromCodePoint(node.value)]
  if (node.type === 'CharacterSet') return node.kind === 'property' ? firstOf(node.raw, flags) : []
  if (node.type === 'CharacterClassRange') return [...own(node.min), ...own(node.max)]
  return node.type === 'CharacterClass' ? node.elements.flatMap(own) : []
}

const lastOfScripts = 0x1ffff
const firsts = new Map<string, string[]>()

/** Returns the first character with a property, if there is one among those of scripts. */
function firstOf(raw: string, flags: string): string[] {
  const known = firsts.get(raw)
  if (known !== undefined) return known
  const matcher = matcherOf(raw, flags)
  let point = 0
  while (point <= lastOfScripts && !matcher.test(String.fromCodePoint(point))) point += 1
  const found = point <= lastOfScripts ? [String.fromCodePoint(point)] : []
  firsts.set(raw, found)
  return found
}

/** Returns a short text that a part of an expression matches, with one round of each loop. */
function sampleOf(node: AST.Node, characters: readonly string[], flags: string): string {
  const sample = (child: AST.Node) => sampleOf(child, characters, flags)
  if (node.type === 'Character') return String.fromCodePoint(node.value)
  if (isSet(node)) {
    const matcher = matcherOf(node.raw, flags)
    return characters.find((character) => matcher.test(character)) ?? ''
  }
  if (node.type === 'Alternative') return node.elements.map(sample).join('')
  if (node.type === 'Quantifier') return sample(node.element).repeat(Math.min(Math.max(1, node.min), node.max, 20))
  const isGroup = node.type === 'Group' || node.type === 'CapturingGroup'
  return isGroup && node.alternatives[0] !== undefined ? sample(node.alternatives[0]) : ''
}

/** Returns a text that everything in front of a node matches. */
function leadTo(node: AST.Node, sample: (node: AST.Node) => string): string {
  const { parent } = node
  if (parent === null) return ''
  if (parent.type !== 'Alternative') return leadTo(parent, sample)
  const before = parent.elements.slice(0, parent.elements.indexOf(node as AST.Element))
  return leadTo(parent, sample) + before.map(sample).join('')
}
