import { en } from './en/en.ts'
import { language } from './language.ts'

/** Every sentence of the console. English is the type of all languages, so a missing sentence does not compile. */
export type Words = typeof en

/** The sentences in the language of the page. */
export let t: Words = en

/** Loads the sentences of the page's language, and sets its direction. */
export async function loadWords(): Promise<void> {
  if (language === 'ar') {
    const [{ ar }, { paid }] = await Promise.all([import('./ar/ar.ts'), import('./ar/paid.ts')])
    t = { ...ar, ...paid }
  }
  document.documentElement.lang = language
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
}
