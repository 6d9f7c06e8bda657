import { type BotTexts, limits } from '@msgctl/contract'
import type { Said } from '#conversations/bots/orders/draft.ts'
import { textIn } from '#conversations/bots/texts/languages.ts'

/** Returns what is said as one text, a line for each part, cut at the length of a message. */
export function renderSaid(says: readonly Said[], own: BotTexts, lang: string): string {
  const lines = says.map((one) => ('words' in one ? one.words : textIn(own, lang, one.text, { ...one.values })))
  return lines.join('\n').slice(0, limits.message)
}
