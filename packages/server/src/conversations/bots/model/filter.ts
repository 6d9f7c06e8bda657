import { plainText } from '@msgctl/contract'
import type { ModelQuestion, Understood } from './model.ts'

const maxLength = 1500

/**
 * Returns what a model understood, or `unknown` when it cannot be trusted: an answer without sources, with sources that
 * it was not given, that is too long, with a numeral that is no digit, or with a link, an address, a number or an
 * amount that stands in none of its sources.
 */
export function filterUnderstood(understood: Understood, question: ModelQuestion): Understood {
  if (understood.kind !== 'answer') return understood
  const { text, sources } = understood
  const cited = question.passages.filter(({ id }) => sources.includes(id))
  const isSourced = sources.length > 0 && sources.every((id) => cited.some((passage) => passage.id === id))
  const isFit = text.trim() !== '' && text.length <= maxLength
  if (!isSourced || !isFit || hasNumeral(text)) return { kind: 'unknown' }
  const known = factsOf(cited.map(({ question, answer }) => `${question}\n${answer}`).join('\n'))
  return [...factsOf(text)].every((fact) => known.has(fact)) ? understood : { kind: 'unknown' }
}

const numeral = /[\p{No}\p{Nl}🔟]/gu

/** Returns whether a text has a numeral that is not compared as digits, such as Ⅻ, ❺, ፭ or 🔟. */
function hasNumeral(text: string): boolean {
  return [...text.matchAll(numeral)].some(([one]) => !/\d/.test(plainText(one)))
}

// Each of these takes every character of a text at most once, so that the time grows with the length and not its
// square.
const word = /\S+/g
const host = /[\p{L}\p{M}\d.-]+/gu
const path = /\/\S*/y
const number = /\d(?:[.,:\s'-]?\d)*/g
const amount = /\d(?:[.,]*\d)*/g
const unitBehind = /\s?(\p{Sc}|%|\p{L}+)/uy
const unitBefore = /(?:\p{Sc}|(?<![\p{L}\d_])[A-Z]{3})\s?$/u

/** Returns what must not be invented: links, addresses, numbers and amounts, each as a whole. */
function factsOf(text: string): Set<string> {
  const plain = plainText(text)
  const words = matches(plain, word)
  return new Set([
    ...words.flatMap((one) => schemeOf(one).map((link) => `link ${bare(link)}`)),
    ...hostsOf(plain).map((one) => `link ${bare(one)}`),
    ...words.flatMap((one) => (/[^@]@[^@]/.test(one) ? [`address ${bare(one)}`] : [])),
    ...matches(plain, number).map((one) => `number ${one.replace(/[^\d.,]/g, '')}`),
    ...amountsOf(plain).map((one) => `amount ${one}`),
  ])
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([match]) => match)
}

/** Returns the link that begins with a scheme in a word, if there is one. */
function schemeOf(word: string): string[] {
  let start = word.indexOf('://')
  if (start < 1) return []
  while (/\w/.test(word[start - 1] ?? '')) start -= 1
  return [word.slice(start)]
}

/** Returns the names of hosts with the paths behind them. */
function hostsOf(text: string): string[] {
  let end = 0
  return [...text.matchAll(host)].flatMap(({ 0: name, index }) => {
    if (index < end || !isHost(name)) return []
    path.lastIndex = index + name.length
    const whole = name + (path.exec(text)?.[0] ?? '')
    end = index + whole.length
    return [whole]
  })
}

/** Returns whether a text is a name of a host: it begins with `www.`, or has two letters behind a dot. */
function isHost(text: string): boolean {
  const [first = '', ...others] = text.split('.').filter((part) => part !== '')
  return others.some((part) => first.toLowerCase() === 'www' || /^\p{L}\p{M}*\p{L}/u.test(part))
}

/** Returns the numbers with what they count: the currency before them, else the sign, unit or word behind them. */
function amountsOf(text: string): string[] {
  let end = 0
  return [...text.matchAll(amount)].flatMap(({ 0: digits, index }) => {
    const before = unitBefore.exec(text.slice(Math.max(end, index - 6), index))?.[0]
    unitBehind.lastIndex = index + digits.length
    const behind = before === undefined ? unitBehind.exec(text)?.[0] : ''
    end = index + digits.length + (behind?.length ?? 0)
    const unit = (before ?? behind)?.trim().toLowerCase()
    return unit === undefined ? [] : [`${digits} ${unit}`]
  })
}

const opening = new Set('(["\'«<')
const closing = new Set('.,;:!?)]>»"\'')

/** Returns a link or an address without the punctuation of the sentence around it, in lower case. */
function bare(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && opening.has(text[start] ?? '')) start += 1
  while (end > start && closing.has(text[end - 1] ?? '')) end -= 1
  return text.slice(start, end).toLowerCase()
}
