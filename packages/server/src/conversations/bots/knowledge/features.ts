import { normalize } from '#conversations/bots/texts/languages.ts'

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
/** Features are below this number. */
export const featureLimit = 2 ** 40
const firstStem = featureLimit / 2

/**
 * Returns the features of a question as numbers, which are hashes: those of its stems, and of the pieces of 3 and 4
 * characters of its words. A feature can stand several times. At most `longest` characters are read, as they are
 * compared.
 */
export function featuresOf(text: string, stems: readonly string[], longest = Number.POSITIVE_INFINITY): number[] {
  const padded = ` ${normalize(text).slice(0, longest)} `
  const features = stems.map((stem) => firstStem + hash(stem, 0, stem.length))
  for (const length of gramLengths) {
    for (let at = 0; at + length <= padded.length; at++) features.push(hash(padded, at, at + length))
  }
  return features
}

/** Returns whether a feature is a stem. */
export function isStem(feature: number): boolean {
  return feature >= firstStem
}

/** Returns a number of 39 bits for the characters from `start` up to `end`. */
function hash(text: string, start: number, end: number): number {
  let [low, high] = [0x811c9dc5, 0x5bd1e995]
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return (high >>> 25) * 2 ** 32 + (low >>> 0)
}
