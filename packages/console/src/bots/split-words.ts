/** Returns the words of a list that a person typed with commas between them. */
export function splitWords(text = ''): string[] {
  return text
    .split(/[,،\n]/)
    .map((word) => word.trim())
    .filter(Boolean)
}
