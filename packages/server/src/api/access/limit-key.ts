import type { Details, ErrorCode } from '@msgctl/contract'
import ipaddr from 'ipaddr.js'
import { ApiError, type LimitCode } from '#platform/errors.ts'

/** What a limit counts by, and the error past it. */
interface LimitFacts {
  readonly by: 'address' | 'credential' | 'organization' | 'exception'
  readonly code: LimitCode
  /** Why an exception counts by something else. */
  readonly because?: string
}

const byAddressOnly = { by: 'address', code: 'RATE_LIMIT' } as const
const byCredentialOnly = { by: 'credential', code: 'RATE_LIMIT' } as const
const byOrganizationOnly = { by: 'organization', code: 'RATE_LIMIT' } as const

/**
 * Every limit. It counts by the address of the caller, by a credential or by an organization: what a caller may choose,
 * and others share, would let anyone use up the limit of everyone. The exceptions say why they count by something else.
 */
export const limitCatalogue = {
  'sign-ins': byAddressOnly,
  'sign-ups': byAddressOnly,
  'welcome codes': byAddressOnly,
  codes: byAddressOnly,
  'requests for a new password': byAddressOnly,
  'new passwords': byAddressOnly,
  confirmations: byAddressOnly,
  invitations: byAddressOnly,
  joins: byAddressOnly,
  'registrations of AI clients': byAddressOnly,
  'requests of AI clients': byAddressOnly,
  'failed requests for tokens': byAddressOnly,
  'revocations of AI clients': byAddressOnly,
  requests: byAddressOnly,

  'tokens of a connection': byCredentialOnly,
  'calls of an AI client': byCredentialOnly,
  'sends of an AI client': byCredentialOnly,
  'waiting actions of an AI client': byCredentialOnly,

  changes: { by: 'organization', code: 'RATE_LIMITED' },
  'sent invitations': byOrganizationOnly,
  'event streams': byOrganizationOnly,
  'overview streams': byOrganizationOnly,
  'refreshes of billing': byOrganizationOnly,
  'one-time codes': { by: 'organization', code: 'OTP_RATE_LIMITED' },
  'messages on trial': { by: 'organization', code: 'TRIAL_LIMIT_REACHED' },

  'tokens of an app': {
    by: 'exception',
    code: 'RATE_LIMIT',
    because: 'An app that registered has a random id of its own (specification, "Limits": per app).',
  },
  'wrong passwords': {
    by: 'exception',
    code: 'TOO_MANY_LOGIN_ATTEMPTS',
    because: 'Guesses come from many addresses; ten wrong passwords lock the e-mail address (specification, "Limits").',
  },
  'wrong codes': {
    by: 'exception',
    code: 'TOO_MANY_LOGIN_ATTEMPTS',
    because: 'Guesses come from many addresses, and only after the right password: they count by the person.',
  },
  'reset mails': {
    by: 'exception',
    code: 'RATE_LIMIT',
    because: 'A mailbox is protected from mails that others ask for. The last one has a link that works.',
  },
  'verification mails': {
    by: 'exception',
    code: 'RATE_LIMIT',
    because: 'A mailbox is protected from mails that others ask for.',
  },
  'one-time codes to a phone': {
    by: 'exception',
    code: 'OTP_RATE_LIMITED',
    because: 'A phone is protected from codes of an organization (specification, "Limits").',
  },
  'tries of a one-time code': {
    by: 'exception',
    code: 'OTP_MAX_ATTEMPTS',
    because: 'Each code has three tries (specification, "One-time code"). Only its organization knows its id.',
  },
} as const satisfies Readonly<Record<string, LimitFacts>>

/** The name of a limit. */
export type LimitName = keyof typeof limitCatalogue

/** The names of the limits that count by this. */
type Limits<By extends LimitFacts['by']> = {
  [Name in LimitName]: (typeof limitCatalogue)[Name]['by'] extends By ? Name : never
}[LimitName]

/** The names of the limits that count by the address of the caller. */
export type AddressLimitName = Limits<'address'>

const made = Symbol('made here')

/** What one limit counts for one caller. Only the functions of this file make one. */
export interface LimitKey<Name extends LimitName = LimitName> {
  readonly limit: Name
  /** The name under which it is counted. */
  readonly bucket: string
  readonly [made]: true
}

function makeKey<Name extends LimitName>(limit: Name, of: string): LimitKey<Name> {
  return { limit, bucket: `${limit} of ${of}`, [made]: true }
}

/** What stands for a caller: an IPv4 address, or the first 64 bits of an IPv6 one, which one household can vary. */
export function networkOf(ip: string): string {
  return ipaddr.IPv6.isValid(ip) ? ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString() : ip
}

/** Counts by the address of a caller. */
export function byAddress<Name extends AddressLimitName>(limit: Name, ip: string): LimitKey<Name> {
  return makeKey(limit, networkOf(ip))
}

/** A key, a session or a connection of an organization, by the name of its credential. */
export interface CountedCredential {
  readonly organizationId: string
  readonly credential: string
}

/** Counts by the credential of a caller. */
export function byCredential<Name extends Limits<'credential'>>(
  limit: Name,
  { organizationId, credential }: CountedCredential,
): LimitKey<Name> {
  return makeKey(limit, `${organizationId} ${credential}`)
}

/** Counts by an organization. */
export function byOrganization<Name extends Limits<'organization'>>(
  limit: Name,
  organizationId: string,
): LimitKey<Name> {
  return makeKey(limit, organizationId)
}

declare const registered: unique symbol

/** A stored app that registered. The address of a document, which all organizations share, is no id of one. */
export interface RegisteredApp {
  readonly id: string
  readonly [registered]: true
}

/** Counts by an app that registered. */
export function byRegisteredApp(limit: 'tokens of an app', { id }: RegisteredApp): LimitKey<typeof limit> {
  return makeKey(limit, id)
}

/** Counts by an e-mail address, in any case. */
export function byEmail<Name extends 'wrong passwords' | 'reset mails' | 'verification mails'>(
  limit: Name,
  email: string,
): LimitKey<Name> {
  return makeKey(limit, email.toLowerCase())
}

/** Counts by a person. */
export function byPerson(limit: 'wrong codes', userId: string): LimitKey<typeof limit> {
  return makeKey(limit, userId)
}

/** Counts by a phone that an organization sends codes to. */
export function byPhone(
  limit: 'one-time codes to a phone',
  organizationId: string,
  phone: string,
): LimitKey<typeof limit> {
  return makeKey(limit, `${organizationId} ${phone}`)
}

/** Counts by a one-time code. */
export function byOneTimeCode(limit: 'tries of a one-time code', requestId: string): LimitKey<typeof limit> {
  return makeKey(limit, requestId)
}

type CodeOf<Name extends LimitName> = (typeof limitCatalogue)[Name]['code']
type WithDetails<C extends ErrorCode> = Details<C> extends undefined ? [] : [details: Details<C>]

/** Returns the error of a limit that is reached: the only way to one with the status 429. */
export function limitReached<Name extends LimitName>(
  { limit }: LimitKey<Name>,
  message: string,
  ...[details]: WithDetails<CodeOf<Name>>
): ApiError<CodeOf<Name>> {
  return new ApiError(limitCatalogue[limit].code as CodeOf<Name>, message, details)
}
