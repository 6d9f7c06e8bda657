import * as z from 'zod'
import { products, roles } from '../../access.ts'
import * as cast from '../../examples/cast.ts'
import * as example from '../../examples/people.ts'
import { country } from '../../model/billing.ts'
import { named, ok } from '../../model/envelope.ts'
import { at, atOrNull, count, text, unique, uuid } from '../../model/fields.ts'
import { limits } from '../../model/limits.ts'
import { password } from '../../model/person-fields.ts'
import { session, twoFactorCode } from '../../model/sign-in.ts'
import { route } from '../../route.ts'

const name = text(1, limits.organizationName)

/** The numbers that an organization may have. */
export const organizationNumbers = named('OrganizationNumbers', 'The numbers that it may have.', {
  included: count('Numbers included in its products.'),
  extra: count('Additional numbers, given or paid.'),
  extraExpiresAt: atOrNull('When fewer additional numbers may be used; null when no such time is known.'),
  used: count('Numbers that it has.'),
})

const organizationRecord = ok({
  organization: named('Organization', 'An organization.', {
    id: z.uuid().describe('The organization.'),
    name: z.string().describe('Name of the organization.'),
    createdAt: at('When it was founded.'),
    owner: z
      .object({
        id: z.uuid().describe('The owner.'),
        name: z.string().describe('Name of the owner.'),
        email: z.string().describe('E-mail address of the owner.'),
      })
      .describe('The owner.'),
    country: z.string().nullable().describe('Its country (ISO 3166-1); null when it named none.'),
    countryLocked: z.boolean().describe('Whether the country is fixed, since the first payment.'),
    members: count('Members of the team.'),
    memberLimit: count('Members and open invitations allowed together.'),
    requireTwoFactor: z.boolean().describe('Whether its members must sign in with two steps.'),
    products: z
      .array(
        z.object({
          product: z.enum(products).describe('The product.'),
          state: z.enum(['active', 'trial', 'paused']).describe('Whether it is granted or paid, on trial, or paused.'),
          since: atOrNull('Since when it is granted, paid or paused, by the end of the trial too; null on trial.'),
        }),
      )
      .describe('The products that it holds.'),
    trialEndsAt: atOrNull('When the free trial ends, or ended.'),
    trial: z
      .object({
        endsAt: at('When the trial ends, or ended.'),
        messagesPerDay: count('Messages allowed per UTC day.'),
        usedToday: count('Messages of today.'),
        resetsAt: at('When the count starts again.'),
      })
      .nullable()
      .describe('The free trial; null with a granted or paid product, or when there never was one.'),
    numbers: organizationNumbers.describe('The numbers that it may have.'),
    ai: z
      .object({
        limitUsd: z.number().describe('The AI allowance in US dollars: of the month, or of the whole trial.'),
        usedUsd: z.number().describe('How much of it is used.'),
        renewsAt: atOrNull('When it is renewed; null on trial.'),
      })
      .describe('What its assistants may cost.'),
  }),
})

export const organization = {
  /** Lists your organizations with your role in each, in the order in which you joined. */
  list: route('GET /organizations', {
    summary: 'List your organizations',
    access: { keys: 'none', withoutTwoFactor: true },
    response: ok({
      organizations: z
        .array(
          z.object({
            id: z.uuid().describe('The organization.'),
            name: z.string().describe('Name of the organization.'),
            memberRole: z.enum(roles).describe('Your role in it.'),
            requireTwoFactor: z.boolean().describe('Whether its members must sign in with two steps.'),
            current: z.boolean().describe('Whether this session is for it.'),
          }),
        )
        .describe('Your organizations.'),
    }),
    example: {
      output: {
        organizations: [{ ...example.ownOrganization, memberRole: 'owner', requireTwoFactor: false, current: true }],
      },
    },
  }),

  /**
   * Founds another organization and starts a session for it; the session that calls stays. It has a free trial only
   * when you never had one, else no product. A person owns up to 10 organizations (TOO_MANY_ORGANIZATIONS).
   */
  create: route('POST /organizations', {
    summary: 'Found an organization',
    access: { keys: 'none', withoutTwoFactor: true },
    body: z.object({
      name: name.describe('Name of the organization.'),
      products: unique(z.array(z.enum(products)).min(1).max(products.length))
        .optional()
        .describe('Products to try (default: all).'),
    }),
    status: 201,
    response: session,
    errors: ['TOO_MANY_ORGANIZATIONS', 'SIGNUP_DISABLED'],
    secret: true,
    example: {
      input: { name: example.secondOrganization.name },
      output: example.session(example.secondOrganization, 'owner'),
    },
  }),

  /** Returns the organization with its owner, the size of its team and its products. */
  get: route('GET /organization', {
    summary: 'Get the organization',
    access: { keys: 'account' },
    response: organizationRecord,
    example: { output: example.organizationRecord },
  }),

  /**
   * Renames the organization, sets its country, or requires two-step sign-in of its members. Only the owner may change
   * the latter (NOT_OWNER), who must have turned it on first (TWO_FACTOR_OWNER_FIRST). The country decides the currency
   * of payments, and stays after the first one (COUNTRY_LOCKED).
   */
  update: route('PUT /organization', {
    summary: 'Change the organization',
    access: { keys: 'none', roles: ['owner', 'admin'] },
    body: z.object({
      name: name.optional().describe('The new name.'),
      requireTwoFactor: z.boolean().optional().describe('Whether members must sign in with two steps.'),
      country: country
        .nullable()
        .optional()
        .describe('The country (ISO 3166-1 alpha-2, in any case); null removes it.'),
    }),
    response: organizationRecord,
    errors: ['NOT_OWNER', 'TWO_FACTOR_OWNER_FIRST', 'COUNTRY_LOCKED'],
    example: { input: { name: 'Example Shop, Berlin' }, output: example.organizationRecord },
  }),

  /** Makes another member the owner. You become an admin. Takes your password, and your code when two steps are on. */
  transfer: route('POST /organization/transfer', {
    summary: 'Transfer the organization to another owner',
    access: { keys: 'none', owner: true },
    body: z.object({
      userId: uuid.describe('The member who becomes the owner.'),
      password: password.describe('Your password.'),
      code: twoFactorCode.optional(),
    }),
    response: organizationRecord,
    errors: [
      'ALREADY_OWNER',
      'NOT_FOUND',
      'TOO_MANY_ORGANIZATIONS',
      'TWO_FACTOR_OWNER_FIRST',
      'WRONG_PASSWORD',
      'NO_PASSWORD_SET',
      'TWO_FACTOR_CODE_INVALID',
      'TOO_MANY_LOGIN_ATTEMPTS',
      'SECRETS_KEY_MISSING',
    ],
    example: {
      input: { userId: example.member.id, password: cast.owner.password },
      output: example.organizationRecord,
    },
  }),

  /**
   * Deletes the organization. Its keys, sessions, connections and invitations end at once, queued messages fail, and
   * webhooks stop. Its numbers are unlinked. After 7 days all its data is erased; until then the operator can restore
   * it. Takes its exact name, your password, and your code when two steps are on. Fails with ADMIN_CANNOT_DELETE for an
   * organization that the operator protects, and with LAST_ORGANIZATION for your only one, unless your account is
   * deleted too.
   */
  delete: route('POST /organization/delete', {
    summary: 'Delete the organization',
    access: { keys: 'none', owner: true },
    body: z.object({
      name: name.describe('The exact name of the organization.'),
      password: password.describe('Your password.'),
      code: twoFactorCode.optional(),
      deleteAccount: z
        .literal(true)
        .optional()
        .describe('Deletes your account too. Fails with OWNS_ORGANIZATION while you own another organization.'),
    }),
    response: ok({ erasedAfter: at('When its data is erased. Until then the operator can restore it.') }),
    errors: [
      'ADMIN_CANNOT_DELETE',
      'LAST_ORGANIZATION',
      'OWNS_ORGANIZATION',
      'WRONG_PASSWORD',
      'NO_PASSWORD_SET',
      'TWO_FACTOR_CODE_INVALID',
      'TOO_MANY_LOGIN_ATTEMPTS',
      'SECRETS_KEY_MISSING',
    ],
    example: {
      input: { name: cast.organization.name, password: cast.owner.password },
      output: { erasedAfter: example.later },
    },
  }),
}
