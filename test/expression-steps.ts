import v8 from 'node:v8'
import { runInThisContext } from 'node:vm'
import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { isLoop, nodesOf, pumpedTexts } from './expression-texts.ts'

/** Ends each text. No expression and no other place of a text contains it. */
const end = '\uffff'
/** Stands in no text at all. */
const absent = '\ufffe'
const length = 2000
/** A linear expression takes a few steps for each character, a quadratic one hundreds in a text of this length. */
const mostForEach = 30
/** Rounds of all loops together that may be taken at each character. Loops that divide one run among them take more. */
const fewRounds = 300

v8.setFlagsFromString('--allow-natives-syntax')
/** A function of V8 for its own tests: the expression gives up after so many steps back, and then matches nothing. */
const withLimit: (pattern: string, flags: string, limit: number) => RegExp = runInThisContext(
  '(pattern, flags, limit) => %NewRegExpWithBacktrackLimit(pattern, flags, limit)',
)

/**
 * Returns a text for which a regular expression takes more than 30 steps for each character, or 300 in few rounds, or
 * undefined where none was found. V8 counts the steps: the result is the same on every machine with that V8, and an
 * exponential expression ends like any other.
 */
export function slowText(pattern: string, flags: string): string | undefined {
  const modes = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
  const parsed = new RegExpParser().parsePattern(pattern, 0, pattern.length, modes)
  const rounds = nodesOf(parsed)
    .filter(isLoop)
    .reduce((product, { max }) => product * max, 1)
  if (rounds <= 1) return undefined
  const stepsForEach = rounds <= fewRounds ? fewRounds : mostForEach
  // Finds every match, one after the other, and then the end. Nothing but the limit prevents that.
  const all = `^(?:(?:${countedForm(parsed, flags)})|[^${end}])*${end}`
  const expression = withLimit(all, flags.replaceAll(/[gy]/g, ''), length * stepsForEach)
  const found = pumpedTexts(parsed, flags).find(({ prefix, pump, tail }) => {
    return !expression.test(`${prefix}${pump.repeat(length / pump.length)}${tail}${end}`)
  })
  if (found === undefined) return undefined
  const { prefix, pump, tail } = found
  return `${JSON.stringify(prefix)} + ${JSON.stringify(pump)}.repeat(n) + ${JSON.stringify(tail)}`
}

/**
 * Returns an expression in a form in which V8 counts each round of a loop. It does not count the rounds of a loop over
 * single characters, those of a lazy loop, and those inside a lookaround that has matched. A loop therefore ends each
 * round with a condition that always holds, and is greedy. A lookaround first tries everything and fails.
 */
function countedForm(node: AST.Node, flags: string): string {
  const form = (child: AST.Node) => countedForm(child, flags)
  if (node.type === 'Alternative') return node.elements.map(form).join('')
  if (node.type === 'Quantifier') {
    const count = node.raw.slice(node.element.end - node.start)
    return `(?:${form(node.element)}(?!${absent}))${node.greedy ? count : count.slice(0, -1)}`
  }
  // The mark at the end of the text is not part of it.
  if (node.type === 'Assertion' && node.kind === 'end')
    return `(?=${end}${flags.includes('m') ? `|[\\n\\r\\u2028\\u2029]` : ''})`
  if (!('alternatives' in node) || node.alternatives[0] === undefined) return node.raw
  const head = node.raw.slice(0, node.alternatives[0].start - node.start)
  const inner = node.alternatives.map(form).join('|')
  if (node.type === 'Pattern') return inner
  if (node.type !== 'Assertion') return `${head}${inner})`
  const failing =
    node.kind === 'lookahead' ? `(?:${withoutCaptures(inner)})${absent}` : `${absent}(?:${withoutCaptures(inner)})`
  return `${head}${failing}|${inner})`
}

/** Groups of a text that is written twice would count twice, and two cannot have one name. */
function withoutCaptures(text: string): string {
  return text.replaceAll(/(\\.)|\((?:\?<\w+>|(?!\?))/g, (_match, escaped?: string) => escaped ?? '(?:')
}
