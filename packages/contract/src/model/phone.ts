/** Separators people type into phone numbers: spaces, dashes, dots and brackets (specification, "Conventions"). */
const separators = /[\s\p{Pd}.()[\]]/gu
const international = /^[1-9]\d{6,14}$/
/** Longer texts are rejected without further checks. */
const longestText = 1000
const networkId = /^\d{1,32}@lid$/

/**
 * Returns the digits of an international number, or the network id, or null when the text is neither. Removes spaces,
 * dashes, dots, brackets and one leading +.
 */
export function normalizePhone(text: string, options: { lid: boolean }): string | null {
  if (text.length > longestText) return null
  const bare = text.replace(separators, '').replace(/^\+/, '')
  if (international.test(bare)) return bare
  return options.lid && networkId.test(bare) ? bare : null
}
