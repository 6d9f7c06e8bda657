import { stripVTControlCharacters } from 'node:util'

/** Controls, and the marks that turn the direction of text: both could rewrite what a person sees. */
const unsafe = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\ufeff]/gu
const unsafeInJson = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu
const lineBreaks = /[\r\n\t\u2028\u2029]+/g

/** Text that a terminal may see: no escape sequences and no controls; line breaks and tabs stay. */
export function sanitizeText(text: string): string {
  return stripVTControlCharacters(text).replace(unsafe, '')
}

/** The same on one line: what would break it becomes a space. */
export function sanitizeLine(text: string): string {
  return sanitizeText(text.replace(lineBreaks, ' '))
}

/** JSON text with every character escaped that a terminal could act on; the value stays the same. */
export function sanitizeJson(json: string): string {
  return json.replace(unsafeInJson, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The first `length` characters, with an ellipsis when there were more. */
export function shortened(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}
