import { limits } from '@msgctl/contract/limits'
import { normalizePhone } from '@msgctl/contract/phone'
import type { Context } from '../context.ts'
import { usageFailure } from '../errors/exit-codes.ts'
import { canPrompt } from '../host.ts'
import { shownCell } from './csv.ts'

/** A phone as a person or a list wrote it. */
export interface WrittenPhone {
  /** The original text. */
  readonly text: string
  /** Digits, or an id ending in @lid; null when the text is neither, or a number within a country. */
  readonly phone: string | null
  /** Why it is no phone that can be sent to; undefined if it is one. */
  readonly fault: string | undefined
  /** The country code with which digits without + were read, such as `+41 (Switzerland)`. */
  readonly readAs: string | undefined
}

type Library = typeof import('libphonenumber-js/max')

const asInternational = 'write it with + and the country code, like +12025550100'
let countries: Intl.DisplayNames | undefined

/** Returns the name of a country. The names are loaded on first use. */
function nameOf(country: string): string {
  countries ??= new Intl.DisplayNames(['en'], { type: 'region' })
  return countries.of(country) ?? country
}

/** Returns whether the text says itself that a country code comes first. */
function isExplicit(text: string): boolean {
  return /^\s*(?:\+|00)/.test(text)
}

interface TypedPlan {
  type(name: 'MOBILE'): { possibleLengths(): readonly number[] } | undefined
}

/** The types of the library leave out the kinds of numbers of a plan. */
function hasKinds(plan: object): plan is TypedPlan {
  return 'type' in plan && typeof plan.type === 'function'
}

/** Returns how many digits mobile numbers of a country code have at least, without the code; 0 where unknown. */
function shortestMobile(library: Library, callingCode: string): number {
  const country = library.getCountries().find((each) => library.getCountryCallingCode(each) === callingCode)
  if (country === undefined) return 0
  const metadata = new library.Metadata()
  metadata.selectNumberingPlan(country)
  const plan = metadata.numberingPlan
  return plan && hasKinds(plan) ? Math.min(...(plan.type('MOBILE')?.possibleLengths() ?? [0])) : 0
}

/** Reads digits without + as an international number, and refuses those that are a number within a country. */
function readBare(library: Library, text: string, digits: string): WrittenPhone {
  const refused = (why: string) => ({ text, phone: null, fault: `${shownCell(text)} ${why}`, readAs: undefined })
  if (/[()[\]]/.test(text)) return refused(`has brackets and no +: ${asInternational}`)
  const number = library.parsePhoneNumberFromString(`+${digits}`)
  if (!number) return refused(`begins with no country code: ${asInternational}`)
  const { countryCallingCode: code, country, nationalNumber } = number
  const readAs = country === undefined ? `+${code}` : `+${code} (${nameOf(country)})`
  if (!number.isValid() && nationalNumber.length < shortestMobile(library, code))
    return refused(`has too few digits for ${readAs}: ${asInternational}`)
  return { text, phone: digits, fault: undefined, readAs }
}

/**
 * Reads phones as they were written. A number with brackets, or with fewer digits than a number of the country that it
 * begins with, is one within a country: it needs + or 00. With `lid`, ids ending in `@lid` are phones too.
 */
export async function readWrittenPhones(
  texts: readonly string[],
  { lid }: { readonly lid: boolean },
): Promise<WrittenPhone[]> {
  const { min, max } = limits.phoneNumber
  let library: Library | undefined
  const read: WrittenPhone[] = []
  for (const text of texts) {
    const phone = normalizePhone(text.replace(/^\s*00(?=[\s\p{Pd}.()[\]]*[1-9])/u, '+'), { lid })
    if (phone === null || (!lid && (phone.length < min || phone.length > max))) {
      read.push({ text, phone: null, fault: `${shownCell(text)} is not a phone number`, readAs: undefined })
    } else if (phone.endsWith('@lid') || isExplicit(text)) {
      read.push({ text, phone, fault: undefined, readAs: undefined })
    } else {
      library ??= await import('libphonenumber-js/max')
      read.push(readBare(library, text, phone))
    }
  }
  return read
}

/** Returns a phone for a request: as it was written, except that the service does not know 00. */
export function asRequested({ text, phone }: Pick<WrittenPhone, 'text' | 'phone'>): string {
  return /^\s*00/.test(text) ? (phone ?? text) : text
}

/** Returns a sentence about the numbers without +: how many, and as numbers of which countries they were read. */
export function describeReadings(phones: readonly WrittenPhone[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { readAs } of phones) if (readAs !== undefined) counts.set(readAs, (counts.get(readAs) ?? 0) + 1)
  const [first, ...others] = [...counts].sort(([, one], [, other]) => other - one)
  if (first === undefined) return undefined
  const [readAs, count] = first
  const total = [...counts.values()].reduce((sum, one) => sum + one, 0)
  const [single] = phones
  if (phones.length === 1 && single) return `${single.text} has no +: it is read as ${readAs}.`
  const rows = total === 1 ? '1 row' : `${total} rows`
  if (others.length === 0) return `${rows} without +, read as ${readAs}.`
  const shown = others.slice(0, 3).map(([name, times]) => `${times} as ${name}`)
  const rest = others.slice(3).reduce((sum, [, times]) => sum + times, 0)
  const parts = [`${count} read as ${readAs}`, ...shown, ...(rest === 0 ? [] : [`${rest} as others`])]
  return `${rows} without +: ${parts.join(', ')}.`
}

/**
 * Notes on stderr with which country codes numbers without + were read. On a terminal the person confirms it, unless
 * `asksLater`: the command asks for confirmation anyway. Throws a CliError when the person declines.
 */
export async function reportReadings(
  context: Pick<Context, 'host' | 'options' | 'warn' | 'confirm'>,
  phones: readonly WrittenPhone[],
  { asksLater }: { readonly asksLater: boolean },
): Promise<void> {
  const sentence = describeReadings(phones)
  if (sentence === undefined) return
  const { yes, dryRun } = context.options
  if (asksLater || yes || dryRun || !canPrompt(context.host)) return context.warn(sentence)
  await context.confirm(`${sentence} Continue?`)
}

/** The advice of commands whose first argument is the phone. */
export const phoneComesFirst = 'The phone number comes first.'

/**
 * Returns the phone that an argument names: a number, or an id ending in `@lid`. Throws a usage error when it names
 * none, with `advice` where it was no phone at all. Asks like {@link reportReadings}, unless the phone is one that the
 * service lists already (`isListed`).
 */
export async function readPhone(
  context: Context,
  text: string,
  { isListed = false, advice }: { readonly isListed?: boolean; readonly advice?: string } = {},
): Promise<string> {
  const [written] = await readWrittenPhones([text], { lid: true })
  if (!written || written.phone === null) {
    const fault = written?.fault ?? 'The phone number is missing'
    if (!fault.endsWith('not a phone number')) throw usageFailure(fault)
    throw usageFailure(`${fault}; it must be an international number like +12025550100.`, advice)
  }
  if (!isListed) await reportReadings(context, [written], { asksLater: false })
  return asRequested(written)
}
