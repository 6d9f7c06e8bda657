import * as z from 'zod'
import { products } from '../../access.ts'
import * as example from '../../examples/billing.ts'
import * as cast from '../../examples/cast.ts'
import { billingModes, billingStatuses } from '../../model/billing.ts'
import { named, ok } from '../../model/envelope.ts'
import { at, count, limitQuery, text, unique, uuid } from '../../model/fields.ts'
import { instant } from '../../model/instants.ts'
import { limits } from '../../model/limits.ts'
import { route } from '../../route.ts'
import { money } from './billing-records.ts'
import { adminDetails, adminOrganization, person } from './platform-records.ts'

const access = { keys: 'none', roles: ['owner', 'admin'], platform: true } as const
const params = z.object({ organizationId: uuid.describe('The organization.') })
const reason = text(1, limits.billing.reason).describe('Why; the people of the organization can read it.')
const some = unique(z.array(z.enum(products)).min(1).max(products.length))
const changed = ['NOT_FOUND', 'FORBIDDEN_ACTION'] as const

const changedOrganization = ok({ organization: adminOrganization.describe('The organization afterwards.') })
const output = { organization: example.adminOrganization }
const organizationId = cast.organization.id

/** What the operator's staff sees and does. */
export const platform = {
  /** Lists the organizations of the service, the newest first. All filters given must match. */
  organizations: route('GET /admin/organizations', {
    summary: 'List all organizations',
    access,
    query: z.object({
      search: text(1, limits.search)
        .optional()
        .describe("Only with this in the name or the owner's e-mail address, or with this id."),
      state: z.enum(['active', 'deactivated', 'deleted']).optional().describe('Only in this state.'),
      billing: z.enum(billingStatuses).optional().describe('Only with this status of the subscription.'),
      product: z.enum(products).optional().describe('Only with this product.'),
      limit: limitQuery(limits.billing.organizations),
      cursor: uuid.optional().describe('The nextCursor of the page before.'),
    }),
    response: ok({
      organizations: z.array(adminOrganization).describe('The organizations of this page.'),
      nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
    }),
    example: {
      input: { search: 'example', limit: 50 },
      output: { organizations: [example.adminOrganization], nextCursor: null },
    },
    msgctl: 'msgctl admin organizations list',
  }),

  /** Returns an organization with its people and figures. Texts, contacts and codes of it are never shown. */
  organization: route('GET /admin/organizations/:organizationId', {
    summary: 'Get any organization',
    access,
    params,
    response: ok({ organization: adminDetails.describe('The organization.') }),
    errors: ['NOT_FOUND'],
    example: { input: { organizationId }, output: { organization: example.adminDetails } },
    msgctl: `msgctl admin organizations show ${organizationId}`,
  }),

  /** Grants products to an organization, or revokes what was granted. What it paid for stays. */
  setProducts: route('PUT /admin/organizations/:organizationId/products', {
    summary: 'Grant or revoke products',
    access,
    params,
    body: z
      .object({
        grant: some.optional().describe('Products to grant.'),
        revoke: some.optional().describe('Products to revoke.'),
        reason,
      })
      .refine(({ grant, revoke }) => grant !== undefined || revoke !== undefined, {
        error: 'grant or revoke is needed',
        path: ['grant'],
        params: { code: 'required' },
      }),
    response: changedOrganization,
    errors: changed,
    example: { input: { organizationId, grant: ['shop'], reason: 'Gift for the launch' }, output },
    msgctl: `msgctl admin grant ${organizationId} shop --reason 'Gift for the launch'`,
  }),

  /**
   * Moves the end of the free trial, up to 90 days ahead. An organization without products gets `products` on trial.
   * Fails with FORBIDDEN_ACTION `not_on_trial` with a granted or paid product.
   */
  setTrial: route('PUT /admin/organizations/:organizationId/trial', {
    summary: 'Move the end of the trial',
    access,
    params,
    body: z.object({
      endsAt: instant.describe('When the trial ends: ISO 8601 with Z or an offset.'),
      products: some.optional().describe('Products to try (default: all), where it has none.'),
      reason,
    }),
    response: changedOrganization,
    errors: changed,
    example: {
      input: { organizationId, endsAt: '2030-01-31T09:00:00.000Z', reason: 'Wants to see one more month' },
      output,
    },
    msgctl: `msgctl admin trial ${organizationId} 2030-01-31T09:00:00Z --reason 'Wants to see one more month'`,
  }),

  /** Sets the additional numbers and the AI allowance that the operator gives. What is left out stays. */
  setAllowance: route('PUT /admin/organizations/:organizationId/allowance', {
    summary: 'Set the allowances of an organization',
    access,
    params,
    body: z
      .object({
        extraNumbers: z
          .int()
          .min(0)
          .max(limits.billing.extraNumbers)
          .optional()
          .describe('Numbers beside those included and paid.'),
        extraExpiresAt: instant.nullable().optional().describe('Until when they may be used; null without an end.'),
        aiUsdPerMonth: z
          .number()
          .min(0)
          .max(limits.billing.aiUsd)
          .nullable()
          .optional()
          .describe('The AI allowance of a month in US dollars; null for that of the service.'),
        reason,
      })
      .refine(
        ({ extraNumbers, extraExpiresAt, aiUsdPerMonth }) =>
          [extraNumbers, extraExpiresAt, aiUsdPerMonth].some((given) => given !== undefined),
        {
          error: 'extraNumbers, extraExpiresAt or aiUsdPerMonth is needed',
          path: ['extraNumbers'],
          params: { code: 'required' },
        },
      ),
    response: changedOrganization,
    errors: changed,
    example: { input: { organizationId, extraNumbers: 2, reason: 'Asked on the phone' }, output },
    msgctl: `msgctl admin allowance ${organizationId} --extra-numbers 2 --reason 'Asked on the phone'`,
  }),

  /**
   * Deactivates an organization: its calls fail and its messages wait. Its subscription stays unless it is ended too.
   */
  deactivate: route('POST /admin/organizations/:organizationId/deactivate', {
    summary: 'Deactivate an organization',
    access,
    params,
    body: z.object({
      reason,
      endSubscription: z.boolean().optional().describe('Whether its subscription ends at once (default: false).'),
    }),
    response: changedOrganization,
    errors: changed,
    example: {
      input: { organizationId, reason: 'Sends to people who did not ask' },
      output: { organization: { ...example.adminOrganization, state: 'deactivated' } },
    },
    msgctl: `msgctl admin deactivate ${organizationId} --reason 'Sends to people who did not ask'`,
  }),

  /** Activates an organization again. */
  activate: route('POST /admin/organizations/:organizationId/activate', {
    summary: 'Activate an organization',
    access,
    params,
    body: z.object({ reason }),
    response: changedOrganization,
    errors: changed,
    example: { input: { organizationId, reason: 'Talked to the owner' }, output },
    msgctl: `msgctl admin activate ${organizationId} --reason 'Talked to the owner'`,
  }),

  /** Reads the payment provider now and applies what it says about an organization. */
  refresh: route('POST /admin/organizations/:organizationId/refresh', {
    summary: 'Read the provider for an organization',
    access,
    params,
    body: z.object({ reason }),
    response: changedOrganization,
    errors: [...changed, 'PAYMENT_NOT_CONFIGURED', 'PAYMENT_CHANGE_REFUSED', 'PAYMENT_UNAVAILABLE'],
    example: { input: { organizationId, reason: 'Paid, but sees no product' }, output },
    msgctl: `msgctl admin refresh ${organizationId} --reason 'Paid, but sees no product'`,
  }),

  /** Returns figures about all subscriptions. It works without a payment provider too. */
  billing: route('GET /admin/billing', {
    summary: 'Get the figures of billing',
    access,
    response: ok({
      billing: named('AdminBilling', 'Figures about all subscriptions.', {
        mode: z.enum(['off', ...billingModes]).describe('Whether the service takes payments, and of which money.'),
        subscriptions: z
          .object({
            active: count('Subscriptions that are paid.'),
            past_due: count('Those whose payment failed, in the days of grace.'),
            unpaid: count('Those whose days of grace are over.'),
            ended: count('Those that ended.'),
          })
          .describe('Subscriptions by status.'),
        trials: count('Organizations on trial.'),
        monthlyRecurring: z.array(money).describe('What subscriptions bring in a month, for each currency.'),
        failedPayments30Days: count('Invoices of the last 30 days whose payment failed.'),
        disputesOpen: count('Invoices that are disputed.'),
        eventsWaiting: count('Accounts about which the provider has news that were not read yet.'),
        operationsOpen: count('Changes that are under way.'),
      }).describe('The figures.'),
    }),
    example: { output: { billing: example.adminBilling } },
    msgctl: 'msgctl admin billing',
  }),

  /** Lists what the operator's staff did, the latest first. */
  activity: route('GET /admin/activity', {
    summary: 'List what the staff did',
    access,
    query: z.object({
      organizationId: uuid.optional().describe('Only for this organization.'),
      limit: limitQuery(limits.billing.activity),
      cursor: z
        .string()
        .max(limits.cursor)
        .regex(/^\d{1,18}$/, 'must be a nextCursor of this list')
        .optional()
        .describe('The nextCursor of the page before.'),
    }),
    response: ok({
      entries: z
        .array(
          named('AdminEntry', "Something that the operator's staff did.", {
            id: z.string().describe('The entry. Later entries have greater ids.'),
            at: at('When it happened.'),
            actor: person.describe('The person of the staff.').nullable(),
            action: z.string().describe('What was done, as `admin.verb`.'),
            organization: z
              .object({ id: z.uuid().describe('The organization.'), name: z.string().describe('Its name.').nullable() })
              .describe('The organization that it was done to.'),
            details: z.record(z.string(), z.unknown()).describe('Details, with the reason.'),
            ip: z.string().nullable().describe('The network address of the request.'),
          }),
        )
        .describe('The entries of this page.'),
      nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
    }),
    example: { input: { limit: 20 }, output: { entries: [example.adminEntry], nextCursor: null } },
    msgctl: 'msgctl admin activity',
  }),
}
