/** The languages of the console. */
export const languages = ['en', 'ar'] as const
export type Language = (typeof languages)[number]

/** Their names, each in its own language. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', ar: 'العربية' }

const storageName = 'msgctl.language'

function isLanguage(text: string | null | undefined): text is Language {
  return languages.some((each) => each === text)
}

/** Browsers know tags such as en-US@posix, which Intl refuses. */
function isUsable(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

function baseOf(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? ''
}

function chooseLanguage(): Language {
  const stored = localStorage.getItem(storageName)
  if (isLanguage(stored)) return stored
  return navigator.languages.map(baseOf).find(isLanguage) ?? 'en'
}

/** The language of the page. */
export const language = chooseLanguage()

/** The reader's own region in that language: it decides how numbers and times are written. */
export const locale = navigator.languages.filter(isUsable).find((tag) => baseOf(tag) === language) ?? language

/** Remembers the language for this browser and loads the page again. */
export function changeLanguage(next: Language): void {
  localStorage.setItem(storageName, next)
  location.reload()
}
