import type { assistants } from '../words/en/assistants.ts'
import { assistants as en } from '../words/en/assistants.ts'
import { language } from '../words/language.ts'

/**
 * The sentences of the pages of assistants. They come with these pages, so that the first paint does not carry them.
 */
export const words: typeof assistants = language === 'ar' ? (await import('../words/ar/assistants.ts')).assistants : en
