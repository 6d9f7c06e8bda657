import type { ModelQuestion, Understood } from './model.ts'

const maxLength = 1500
const link = /(?:\w+:\/\/|www\.)\S+|\b[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?:\/\S*)?/giu
const address = /[^\s@]+@[^\s@]+/g
const number = /\d+(?:[.,:\s\u00a0'-]?\d+)*/g
const amount =
  /(?:(\p{Sc}|\b[A-Z]{3}\b)[\s\u00a0]?(\d[\d.,]*\d|\d))|(?:(\d[\d.,]*\d|\d)[\s\u00a0]?(\p{Sc}|[A-Z]{3}\b|%|\p{L}+))/gu

/**
 * Returns what a model understood, or `unknown` when it cannot be trusted: an answer without sources, with sources that it
 * was not given, that is too long, or with a link, an address, a number or an amount that stands in none of its sources.
 */
export function filterUnderstood(understood: Understood, question: ModelQuestion): Understood {
  if (understood.kind !== 'answer') return understood
  const { text, sources } = understood
  const cited = question.passages.filter(({ id }) => sources.includes(id))
  const isSourced = sources.length > 0 && sources.every((id) => cited.some((passage) => passage.id === id))
  const isFit = text.trim() !== '' && text.length <= maxLength
  if (!isSourced || !isFit) return { kind: 'unknown' }
  const known = factsOf(cited.map(({ question, answer }) => `${question}\n${answer}`).join('\n'))
  return [...factsOf(text)].every((fact) => known.has(fact)) ? understood : { kind: 'unknown' }
}

/** Returns what must not be invented: links, addresses, numbers and amounts, each as a whole. */
function factsOf(text: string): Set<string> {
  const plain = text.normalize('NFKC')
  const all = (pattern: RegExp) => [...plain.matchAll(pattern)].map(([match]) => match)
  const amounts = [...plain.matchAll(amount)].map(
    ([, before, after, first, unit]) => `${after ?? first} ${(before ?? unit ?? '').toLowerCase()}`,
  )
  return new Set([
    ...all(link).map((one) => `link ${withoutEnd(one)}`),
    ...all(address).map((one) => `address ${withoutEnd(one)}`),
    ...all(number).map((one) => `number ${one.replace(/[^\d.,]/g, '')}`),
    ...amounts.map((one) => `amount ${one}`),
  ])
}

const punctuation = new Set('.,;:!?)»"\'')

/** Returns a link or an address without the punctuation of the sentence behind it. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && punctuation.has(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end).toLowerCase()
}
