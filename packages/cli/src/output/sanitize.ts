import { stripVTControlCharacters } from 'node:util'
import { csvCell } from '@msgctl/contract/csv'
import truncatedWidth from 'fast-string-truncated-width'

/**
 * Invisible characters that shape their neighbours: a variation selector of an emoji, a joiner between two emoji, and a
 * joiner in a word of the scripts that write with it. Each at most once in a row, so that nothing can be hidden in
 * them.
 */
const shaping = [
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[\p{Script=Arabic}\p{M}])[\u200c\u200d](?=\p{L})`,
].join('|')
/** Signs of Arabic and Syriac that Unicode counts as formats although they are visible. */
const visibleFormats = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2`
/**
 * Control characters, marks of direction, and characters that show nothing, such as tags. They change what the user
 * sees, or carry text that only programs read.
 */
const unsafe = String.raw`(?![${visibleFormats}])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`
const unsafeInText = new RegExp(String.raw`(${shaping})|(?![\n\t])${unsafe}`, 'gu')
const unsafeInJson = new RegExp(String.raw`(${shaping})|(?!\n)(?:[\u2028\u2029]|${unsafe})`, 'gu')
const lineBreaks = /[\r\n\t\u2028\u2029]+/g

/** Removes escape sequences, control characters and what shows nothing; keeps line breaks and tabs. */
export function sanitizeText(text: string): string {
  return stripVTControlCharacters(text).replace(unsafeInText, '$1')
}

/** Sanitizes text for one line: line breaks and tabs become a space. */
export function sanitizeLine(text: string): string {
  return sanitizeText(text.replace(lineBreaks, ' '))
}

/** Escapes every character in JSON text that {@link sanitizeText} removes; the value stays the same. */
export function sanitizeJson(json: string): string {
  return json.replace(unsafeInJson, (character, kept?: string) => kept ?? escaped(character))
}

/** Returns the escapes of a character, which are two for one beyond the first 65,536. */
function escaped(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Returns as much of a text as takes `width` cells of a terminal, with an ellipsis if there was more. */
export function shortened(text: string, width: number): string {
  const { index, ellipsed } = truncatedWidth(text, { limit: width, ellipsis: '…' })
  return `${text.slice(0, index)}${ellipsed ? '…' : ''}`
}

/** Returns one line of CSV without its line end and without control characters. */
export function csvLine(values: readonly string[]): string {
  return values.map((value) => csvCell(sanitizeText(value))).join(',')
}
