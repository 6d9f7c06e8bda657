/** Control characters, also those of terminals in the range C1, and what makes text run from right to left. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
const unprintable = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/**
 * Returns the beginning of a receiver's response as text that can be stored and shown: UTF-8 with each broken character
 * replaced, without control characters.
 */
export function toPlainText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes).replaceAll(unprintable, '')
  // The last character may be cut.
  return text.replace(/\ufffd+$/, '').trim()
}
