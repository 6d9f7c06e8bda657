import type { BotTextName } from '@msgctl/contract'

/** The words by which customers ask for something, in one language: in lower case, without accents. */
export interface Words {
  readonly person: readonly string[]
  readonly menu: readonly string[]
  readonly next: readonly string[]
  readonly cart: readonly string[]
  readonly checkout: readonly string[]
  readonly remove: readonly string[]
  readonly yes: readonly string[]
  readonly no: readonly string[]
  readonly cancel: readonly string[]
  /** Words that say nothing about a product: articles, and words of politeness. */
  readonly filler: readonly string[]
  /** The words for one to ten. */
  readonly numbers: readonly string[]
}

/** What an assistant says and understands in one language. Texts may have {{placeholders}}. */
export interface Language {
  readonly texts: Readonly<Record<BotTextName, string>>
  readonly words: Words
}
