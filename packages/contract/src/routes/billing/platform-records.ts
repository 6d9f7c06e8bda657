import * as z from 'zod'
import { products, roles } from '../../access.ts'
import { billingStatuses } from '../../model/billing.ts'
import { named } from '../../model/envelope.ts'
import { at, atOrNull, count } from '../../model/fields.ts'
import { numberStatuses } from '../../model/states.ts'
import { organizationNumbers } from '../people/organization.ts'
import { money, period } from './billing-records.ts'

/** A person, by name. */
export const person = z.object({
  id: z.uuid().describe('The person.'),
  name: z.string().describe('Name of the person.'),
  email: z.string().describe('E-mail address of the person.'),
})

const organizationFields = {
  id: z.uuid().describe('The organization.'),
  name: z.string().describe('Name of the organization.'),
  createdAt: at('When it was founded.'),
  state: z.enum(['active', 'deactivated', 'deleted']).describe('Whether it works.'),
  platformAdmin: z.boolean().describe("Whether it is of the operator's staff."),
  protected: z.boolean().describe('Whether it can be deleted by its owner.'),
  owner: person.describe('The owner; null when the owner of a deleted organization deleted their account.').nullable(),
  members: count('Members of the team.'),
  country: z.string().nullable().describe('Its country; null when it named none.'),
  products: z
    .array(
      z.object({
        product: z.enum(products).describe('The product.'),
        state: z.enum(['active', 'trial', 'paused']).describe('Whether it works, is on trial, or is paused.'),
        source: z.enum(['granted', 'paid', 'trial']).describe('Where it comes from.'),
        since: atOrNull('Since when it is so; null on trial.'),
      }),
    )
    .describe('Its products.'),
  trialEndsAt: atOrNull('When the free trial ends, or ended.'),
  numbers: organizationNumbers.describe('The numbers that it may have.'),
  ai: z
    .object({
      limitUsd: z.number().describe('The AI allowance in US dollars.'),
      usedUsd: z.number().describe('How much of it is used.'),
      renewsAt: atOrNull('When it is renewed; null on trial.'),
    })
    .describe('What its assistants may cost.'),
  billing: z
    .object({
      status: z.enum(billingStatuses).describe('The status of the subscription.'),
      period: period.nullable().describe('How often it is paid.'),
      currentPeriodEnd: atOrNull('When the present period ends.'),
      amount: money.nullable().describe('What a period costs, before tax.'),
    })
    .describe('What it pays for.'),
}
/** An organization as the operator's staff sees it. */
export const adminOrganization = named(
  'AdminOrganization',
  "An organization as the operator's staff sees it.",
  organizationFields,
)
/** The same with its people and figures. */
export const adminDetails = named('AdminOrganizationDetails', 'An organization with its people and figures.', {
  ...organizationFields,
  people: z
    .array(
      person.extend({
        role: z.enum(roles).describe('Role in the organization.'),
        twoFactorEnabled: z.boolean().describe('Whether the person signs in with two steps.'),
        lastSeenAt: atOrNull('When the person last used the organization.'),
      }),
    )
    .describe('The members of its team.'),
  numberStatuses: z
    .object(
      Object.fromEntries(numberStatuses.map((status) => [status, count(`Numbers that are ${status}.`)])) as Record<
        (typeof numberStatuses)[number],
        z.ZodInt
      >,
    )
    .describe('Its numbers by status.'),
  messagesLast30Days: count('Messages of the last 30 days.'),
  deactivatedReason: z.string().nullable().describe('Why it was deactivated; null while it is not.'),
  customerUrl: z.string().nullable().describe('Its page in the dashboard of the payment provider.'),
})
