/** A placeholder in a template: anything between two pairs of braces except braces and control characters. */
export const placeholder = /\{\{([^{}\p{Cc}]+)\}\}/gu

/**
 * Returns the form in which placeholders and variable keys are compared: trimmed and in Unicode NFC, so that a key
 * with combining marks finds its value in any language.
 */
export function variableKey(text: string): string {
  return text.trim().normalize('NFC')
}
