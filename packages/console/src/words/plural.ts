import { language, locale } from './language.ts'

const rules = new Intl.PluralRules(language)
const digits = new Intl.NumberFormat(locale)

/** Returns a number as the reader's region writes it. */
export function number(n: number): string {
  return digits.format(n)
}

/** The forms of a phrase with a number, which stands where `#` is. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** Returns the form of a phrase that fits a number: `plural(2, { one: '# message', other: '# messages' })`. */
export function plural(n: number, forms: Forms): string {
  return (forms[rules.select(n)] ?? forms.other).replace('#', number(n))
}
