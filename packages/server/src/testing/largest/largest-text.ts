import type { FieldSchema } from '#testing/matrix/fields.ts'
import { textOf } from '#testing/matrix/mutations.ts'

/** What free texts are made of: one letter, or letters and signs of many scripts at random. */
export type Letters = 'one letter' | 'any letters'

interface TextPlace {
  readonly path: readonly (string | number)[]
  readonly letters: Letters
}

const link = 'https://files.example/'
/** The longest name of a zone. */
const longestZone = 'America/Argentina/ComodRivadavia'
/** A text of a form that no random letters have, by its pattern. */
const samples: Readonly<Record<string, string>> = {
  '^\\d{6}$': '123456',
  '^\\d{1,18}$': '1'.repeat(18),
  '^[A-Za-z2-7 -]{16,40}$': 'A'.repeat(40),
  '^[A-Z]{3}$': 'EUR',
}
const keyPattern = '^[^{}\\p{Cc}\\p{Cs}]{1,100}$'
const keyLength = 100
/** The phones of lists have no maximum: the scan of a bulk body bounds each text. */
const unboundedLength = 64

/** Returns the longest text that a field takes; each entry of a list gets another one. */
export function largestText(schema: FieldSchema, place: TextPlace): string {
  const fixed = fixedText(schema, place)
  if (fixed !== undefined) return fixed
  if (schema.pattern === keyPattern) return freeText(keyLength, place)
  return boundedText(schema, place, schema.maxLength ?? unboundedLength)
}

/** Returns a short text that a field takes; each entry of a list gets another one. */
export function shortestText(schema: FieldSchema, place: TextPlace): string {
  const fixed = fixedText(schema, place)
  if (fixed !== undefined) return fixed
  if (schema.pattern === keyPattern) return `k${entryAt(place)}`
  return boundedText(schema, place, Math.min(schema.maxLength ?? 12, Math.max(schema.minLength ?? 1, 12)))
}

function nameOf({ path }: TextPlace): string {
  return String(path.findLast((key) => typeof key === 'string') ?? '')
}

/** A number that differs for each entry of a list. */
function entryAt({ path }: TextPlace): number {
  return path.reduce<number>((at, key) => (typeof key === 'number' ? at * 1000 + key : at), 0)
}

function fixedText({ format, pattern = '' }: FieldSchema, place: TextPlace): string | undefined {
  const at = entryAt(place)
  const name = nameOf(place)
  if (format === 'uuid') return `018f3b5e-0000-7000-8000-${at.toString(16).padStart(12, '0')}`
  if (format === 'date-time' || name === 'closed') {
    const day = new Date(Date.UTC(2090, 0, 1 + (at % 3000))).toISOString()
    return format === 'date-time' ? day.replace('.000Z', `.${'0'.repeat(19)}Z`) : day.slice(0, 10)
  }
  if (pattern === '^[a-z]{2}$') return String.fromCharCode(97 + (Math.floor(at / 26) % 26), 97 + (at % 26))
  if (pattern.startsWith('^([01]')) return name === 'from' ? '09:00' : '17:00'
  if (name === 'timeZone') return longestZone
  if (name === 'country') return 'DE'
  return samples[pattern]
}

function boundedText(schema: FieldSchema, place: TextPlace, length: number): string {
  const name = nameOf(place)
  if (/phone|recipient/i.test(name)) return phoneOf(entryAt(place)).padEnd(length, ' ').slice(0, Math.max(length, 13))
  if (schema.format === 'uri' || schema.format === 'email' || /url$|^email$/i.test(name)) {
    const field = { place: 'body', name, schema, path: [name], required: true, nullable: false } as const
    return textOf(field, Math.max(length, 30), link)
  }
  return freeText(length, place)
}

/** A number of which there is one for each entry. */
function phoneOf(at: number): string {
  return `+1202${String(at % 10_000_000).padStart(7, '2')}`
}

const signs = [
  ...'abcdefghijklmnopqrstuvwxyzABCXYZ0189<>[]()!"\'\\/.,:;&%$#@*_-+=~`|?',
  ...'äßéñçışğžłøœ',
  ...'чщъыэюяґїє',
  ...'漢字仮名交文字한국어',
  ...'שלוםمرحباहिन्दी',
]

/** Text of so many characters, which begins with the number of its entry. */
function freeText(length: number, place: TextPlace): string {
  const start = entryAt(place).toString(36).padStart(Math.min(length, 7), 'a').slice(-length)
  if (place.letters === 'one letter') return start.padEnd(length, 'x')
  let seed = entryAt(place) * 2654435761 + length
  let text = start
  while (text.length < length) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    text += signs[(seed >>> 8) % signs.length]
  }
  return text
}
