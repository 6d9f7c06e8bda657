import { locale } from '../words/language.ts'

const names = new Intl.DisplayNames(locale, { type: 'language' })

/** Returns the name of a language of ISO 639-1 as the reader's language has it. */
export function languageName(code: string): string {
  return names.of(code) ?? code
}
