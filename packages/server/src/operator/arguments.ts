import { limits, type Product, products, roles } from '@msgctl/contract'
import { InvalidArgumentError } from 'commander'
import * as z from 'zod'
import type { GivenRole } from '../organizations/members.ts'

const most = { extraNumbers: 10_000, listed: 1000 }

function parser<T>(schema: z.ZodType<T>, message: string): (text: string) => T {
  return (text) => {
    const parsed = schema.safeParse(text)
    if (!parsed.success) throw new InvalidArgumentError(message)
    return parsed.data
  }
}

function oneOf<const T extends string>(words: readonly T[]): (text: string) => T {
  return parser(z.enum(words), `It must be one of: ${words.join(', ')}.`)
}

function line(maximum: number) {
  return parser(
    z
      .string()
      .trim()
      .min(1)
      .max(maximum)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u),
    `It must have 1 to ${maximum} characters.`,
  )
}

function wholeNumber(minimum: number, maximum: number) {
  return parser(
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number)
      .pipe(z.int().min(minimum).max(maximum)),
    `It must be a whole number from ${minimum} to ${maximum}.`,
  )
}

/** What is typed after the commands, each as the type that the functions take; a fault is an InvalidArgumentError. */
export const argument = {
  id: parser(z.uuid().toLowerCase(), 'It must be the id of an organization, as msgctl-server org list shows it.'),
  email: parser(
    z.string().max(limits.email).trim().toLowerCase().pipe(z.email()),
    'It must be an e-mail address like name@example.com.',
  ),
  personName: line(limits.personName),
  organizationName: line(limits.organizationName),
  product: oneOf(products),
  role: oneOf(roles),
  givenRole: oneOf<GivenRole>(['admin', 'member']),
  extraNumbers: wholeNumber(0, most.extraNumbers),
  listed: wholeNumber(1, most.listed),
} as const

/** Several products with commas between them. */
export function productList(text: string): Product[] {
  return [...new Set(text.split(',').map((word) => argument.product(word.trim())))]
}

/** Several products as words of their own. */
export function productWords(word: string, before: Product[] | undefined): Product[] {
  return [...new Set([...(before ?? []), argument.product(word)])]
}

/** A day, meaning its end in UTC, or an instant with Z or an offset. */
export const instantOrDay = parser(
  z.union([
    z.iso.date().transform((day) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000)),
    z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  ]),
  'It must be a day like 2026-12-31, or an instant like 2026-12-31T12:00:00Z.',
)
