import { normalize } from '../texts/languages.ts'

/** The text search configuration of Postgres that stems a language; words stay as they are in any other language. */
const configurations: Readonly<Record<string, string>> = {
  ar: 'arabic',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hi: 'hindi',
  hu: 'hungarian',
  id: 'indonesian',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  tr: 'turkish',
}

/** Returns the name of the configuration of Postgres that stems `lang`. */
export function stemmerOf(lang: string): string {
  return configurations[lang] ?? 'simple'
}

const gramLengths = [3, 4] as const

/** Returns the features of a question: its stems, and the pieces of 3 and 4 characters of its words. Each stands once. */
export function featuresOf(text: string, stems: readonly string[]): ReadonlySet<string> {
  const padded = ` ${normalize(text)} `
  const features = new Set(stems.map((stem) => `=${stem}`))
  for (const length of gramLengths) {
    for (let at = 0; at + length <= padded.length; at++) features.add(padded.slice(at, at + length))
  }
  return features
}
