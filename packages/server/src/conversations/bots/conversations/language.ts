import { detect } from 'tinyld/light'

/** Shorter texts do not show their language. */
const leastWords = 3

/**
 * Returns the language of a text among those of an assistant: `present` when there is one language, when the text is
 * too short, or when none of them is recognized.
 */
export function languageOf(text: string, languages: readonly string[], present: string): string {
  if (languages.length < 2) return languages[0] ?? present
  const kept = languages.includes(present) ? present : (languages[0] ?? present)
  if (text.trim().split(/\s+/).length < leastWords) return kept
  const found = detect(text, { only: [...languages] })
  return languages.includes(found) ? found : kept
}
