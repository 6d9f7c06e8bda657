import { type BotTextName, type BotTexts, plainText } from '@msgctl/contract'
import { parseTemplate } from '#sending/messages/template.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { Language, Words } from './language.ts'
import { pt } from './pt.ts'

const languages: Readonly<Record<string, Language>> = { en, es, pt, fr, de, ar }

/** Returns the words that customers of a language use; those of English for a language without any. */
export function wordsOf(lang: string): Words {
  return (languages[lang] ?? en).words
}

/**
 * Returns the text of an assistant in a language with its placeholders filled: its own text, else the standard one,
 * else that of English.
 */
export function textIn(own: BotTexts, lang: string, name: BotTextName, values: Record<string, string> = {}): string {
  const template = own[lang]?.[name] ?? (languages[lang] ?? en).texts[name]
  return parseTemplate(template).fill(values)
}

/**
 * Returns a text for comparisons: plain, in lower case, without accents and punctuation, one space between words.
 * Letters of Arabic that people interchange are made equal.
 */
export function normalize(text: string): string {
  return plainText(text)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{Mn}ـ]/gu, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ß/g, 'ss')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Returns whether a text is asked as a question. */
export function isQuestion(text: string): boolean {
  const end = plainText(text).trimEnd().at(-1)
  return end === '?' || end === '؟'
}

/** Returns whether a normalized text is one of these words or phrases. */
export function isOneOf(normalized: string, words: readonly string[]): boolean {
  return normalizedWords(words).has(normalized)
}

/** Returns whether a normalized text contains one of these words or phrases as whole words. */
export function hasOneOf(normalized: string, words: readonly string[]): boolean {
  return [...normalizedWords(words)].some((word) => ` ${normalized} `.includes(` ${word} `))
}

const knownWords = new WeakMap<readonly string[], ReadonlySet<string>>()

/** Returns the words as {@link normalize} writes them. A list is normalized once. */
export function normalizedWords(words: readonly string[]): ReadonlySet<string> {
  const known = knownWords.get(words)
  if (known) return known
  const normalized = new Set(words.map(normalize))
  knownWords.set(words, normalized)
  return normalized
}
