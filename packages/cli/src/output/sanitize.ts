import { stripVTControlCharacters } from 'node:util'

/** Control characters and bidirectional marks: both can change what the user sees. */
const unsafe = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\ufeff]/gu
const unsafeInJson = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu
const lineBreaks = /[\r\n\t\u2028\u2029]+/g

/** Removes escape sequences and control characters; keeps line breaks and tabs. */
export function sanitizeText(text: string): string {
  return stripVTControlCharacters(text).replace(unsafe, '')
}

/** Sanitizes text for one line: line breaks and tabs become a space. */
export function sanitizeLine(text: string): string {
  return sanitizeText(text.replace(lineBreaks, ' '))
}

/** Escapes every character in JSON text that a terminal could interpret; the value stays the same. */
export function sanitizeJson(json: string): string {
  return json.replace(unsafeInJson, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Returns the first `length` characters, with an ellipsis if there were more. */
export function shortened(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

/** The characters that start a formula in a spreadsheet. */
const formula = /^[=+\-@\t\r]/

/**
 * Returns one line of CSV by RFC 4180, without its line end. Removes control characters, and puts an apostrophe before a
 * value that a spreadsheet would run as a formula.
 */
export function csvLine(values: readonly string[]): string {
  return values
    .map(harmless)
    .map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
    .join(',')
}

function harmless(value: string): string {
  const text = sanitizeText(value)
  return formula.test(value) || formula.test(text) ? `'${text}` : text
}
