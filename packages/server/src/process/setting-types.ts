import { openSecrets } from '@msgctl/network/secrets'
import * as z from 'zod'
import { type GuardRules, parseRules } from '#numbers/guard/guard-rules.ts'
import { type Crash, parseCrash, type WorkCrash } from '#platform/crash-points.ts'

/** A whole number of both bounds or between them; an empty text is none. */
export function whole(min: number, max: number) {
  const fits = (text: string) => /^-?\d+$/.test(text) && Number(text) >= min && Number(text) <= max
  return z.string().refine(fits, `must be a whole number from ${min} to ${max}`).transform(Number)
}

/** An amount of US dollars. */
export function price() {
  return z
    .string()
    .refine((text) => /^\d{1,6}(\.\d{1,6})?$/.test(text), 'must be an amount of US dollars like 0.15')
    .transform(Number)
}

/** One of these words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  const last = words.at(-1)
  const others = words.slice(0, -1).join(', ')
  return z.enum(words, { error: `must be ${others === '' ? last : `${others} or ${last}`}` })
}

/** An address that links begin with; the slash at its end is left out. */
export function httpUrl() {
  return z
    .string()
    .refine((text) => /^https?:\/\/[^?#\s]+$/.test(text) && URL.canParse(text), 'must be like https://example.com')
    .transform((text) => text.replace(/\/$/, ''))
}

/** Returns whether a text is an http or https address without a query, a fragment or a user. */
export function isPlainHttpUrl(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false
  const { search, hash, username } = new URL(text)
  return search === '' && hash === '' && username === ''
}

/** Returns whether a text is an origin of websites, as browsers write it. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text
}

/** Returns whether a text is the address of a Postgres database. */
export function isPostgresUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Adds an issue when these keys cannot be used. */
export function canBeOpened(keys: string, ctx: z.core.$RefinementCtx<string>): void {
  try {
    openSecrets(keys)
  } catch (error) {
    ctx.addIssue((error as Error).message.replace(/^SECRETS_KEYS:? /, ''))
  }
}

/** Parses CRASH_AT; adds an issue when it is malformed. */
export function toCrash(text: string, ctx: z.core.$RefinementCtx<string>): Crash | WorkCrash {
  const crash = parseCrash(text)
  if (crash) return crash
  ctx.addIssue('must be the name of a crash point, a colon and a number from 1; or work:<kind>@<owner>')
  return z.NEVER
}

/** Parses a table of guard rules; adds an issue when it is malformed. */
export function toGuardRules(text: string, ctx: z.core.$RefinementCtx<string>): GuardRules {
  const rules = parseRules(text)
  if (rules) return rules
  ctx.addIssue(
    'must be a table like 0:20/20/50,3:40/40/200 (days linked: new conversations a day/messages an hour/a day)',
  )
  return z.NEVER
}
