import { limits, normalizePhone, type Product, products, roles } from '@msgctl/contract'
import { webVersionForm } from '@msgctl/network/web-version'
import { InvalidArgumentError } from 'commander'
import * as z from 'zod'
import type { GivenRole } from '#people/organizations/members.ts'
import { workKinds } from '#platform/set-aside/kinds.ts'

const maximum = { extraNumbers: 10_000, listed: 1000, capacity: 10_000, seconds: 86_400 }

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

const product = oneOf(products)

function line(characters: number) {
  return parser(
    z
      .string()
      .trim()
      .min(1)
      .max(characters)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u),
    `It must have 1 to ${characters} characters.`,
  )
}

function wholeNumber(min: number, max: number) {
  return parser(
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number)
      .pipe(z.int().min(min).max(max)),
    `It must be a whole number from ${min} to ${max}.`,
  )
}

/** Parsers of the command-line arguments. They throw InvalidArgumentError. */
export const argument = {
  webVersion: parser(z.string().regex(webVersionForm), 'It must be a version like 2.3000.1043857760.'),
  phone: parser(
    z
      .string()
      .transform((text) => normalizePhone(text, { lid: false }) ?? '')
      .pipe(z.string().min(1)),
    'It must be an international phone number, such as +12025550100.',
  ),
  id: parser(z.uuid().toLowerCase(), 'It must be the id of an organization, as msgctl-server org list shows it.'),
  numberId: parser(
    z.uuid().toLowerCase(),
    'It must be the containerId of a number, as msgctl-server org show lists it.',
  ),
  guardLimit: parser(
    z.union([
      z.literal('default'),
      z
        .string()
        .regex(/^\d{1,6}$/)
        .transform(Number),
    ]),
    'It must be a whole number up to 999999, or default.',
  ),
  email: parser(
    z.string().max(limits.email).trim().toLowerCase().pipe(z.email()),
    'It must be an e-mail address like name@example.com.',
  ),
  personName: line(limits.personName),
  organizationName: line(limits.organizationName),
  role: oneOf(roles),
  givenRole: oneOf<GivenRole>(['admin', 'member']),
  extraNumbers: wholeNumber(0, maximum.extraNumbers),
  listed: wholeNumber(1, maximum.listed),
  capacity: wholeNumber(1, maximum.capacity),
  seconds: wholeNumber(0, maximum.seconds),
  workKind: oneOf(workKinds),
  origin: parser(
    z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).origin),
    'It must be an address like https://b.msg.example.com.',
  ),
} as const

/** Parses a comma-separated list of products. */
export function parseProductList(text: string): Product[] {
  return [...new Set(text.split(',').map((word) => product(word.trim())))]
}

/** Adds one product to those of the earlier arguments. */
export function addProduct(word: string, before: Product[] | undefined): Product[] {
  return [...new Set([...(before ?? []), product(word)])]
}

/** Parses a day, which means its end in UTC, or an instant with Z or an offset. */
export const instantOrDay = parser(
  z.union([
    z.iso.date().transform((day) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000)),
    z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  ]),
  'It must be a day like 2026-12-31, or an instant like 2026-12-31T12:00:00Z.',
)
