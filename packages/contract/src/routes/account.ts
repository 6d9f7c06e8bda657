import * as z from 'zod'
import { features, products, roles } from '../access.ts'
import * as cast from '../examples/cast.ts'
import { named, ok } from '../model/envelope.ts'
import { at, atOrNull, count } from '../model/fields.ts'
import { route } from '../route.ts'
import { apiKey, apiKeyPreview, warning } from './keys.ts'

const keyAccess = { feature: 'api', keys: 'account', roles: ['owner', 'admin'] } as const

/** The free trial of an organization. */
export const trialRecord = named('Trial', 'The free trial and what is left of today.', {
  endsAt: at('When the trial ends, or ended.'),
  limit: count('Messages a UTC day.'),
  used: count('Messages used today.'),
  resetsAt: at('When the day ends and `used` is 0 again.'),
})
const trial = trialRecord.nullable().describe('The free trial; null once a product is granted or paid.')

/** The account record (specification, "Account"). */
const accountRecord = {
  id: z.uuid().describe('The signed-in person; with a key, the owner.'),
  name: z.string().describe('Name of the person.'),
  email: z.string().describe('E-mail address of the person.'),
  memberRole: z.enum(roles).describe('Role in the organization; a key acts as an admin.'),
  organization: z
    .object({
      id: z.uuid().describe('The organization.'),
      name: z.string().describe('Name of the organization.'),
      requireTwoFactor: z.boolean().describe('Whether its members must sign in with two steps.'),
    })
    .describe('The organization.'),
  products: z.array(z.enum(products)).describe('Active products.'),
  features: z.array(z.enum(features)).describe('The features that the products unlock for this caller.'),
  platformAdmin: z
    .boolean()
    .describe("Whether the caller is of the operator's staff, who administer all organizations."),
  maxNumbers: count('Numbers allowed, or null without a limit.').nullable(),
  webhookUrl: z.string().nullable().describe('Where events are posted; null when there is no webhook.'),
  hasApiKey: z.boolean().describe('Whether there is an account key.'),
  apiKeyPreview: z.string().nullable().describe('Beginning of the account key; null without one.'),
  apiKeyLastUsedAt: atOrNull('When the account key was used last, to the minute.'),
  trial,
  networkWarning: z
    .string()
    .nullable()
    .describe('Set while this service runs in production and sends to no real phone; null otherwise.'),
}

const perMinute = (what: string) => count(`${what} a minute.`)

/** The limit on changes. */
export const changeLimit = named('ChangeLimit', 'The limit on changes and what is left of it.', {
  limitPerMinute: perMinute('Changes of the organization, all keys together,'),
  remaining: count('Changes that pass now.'),
  retryAfterSeconds: count('Seconds until the next change passes; 0 when one passes now.'),
  resetsAt: at('When all of them pass again.'),
})
const changes = changeLimit.nullable().describe('The limit on changes; null when the server sets none.')

/** The limits over time of the specification's table, with what is left of them. */
const limitsRecord = {
  changes,
  texts: z
    .object({ perNumberPerMinute: perMinute('Texts that leave through one number') })
    .describe('How fast queued texts leave; priority high is exempt.'),
  campaigns: z
    .object({
      perNumberPerMinute: perMinute('Campaign messages that leave through one number'),
      perOrganizationPerMinute: perMinute('Campaign messages that leave through all numbers'),
      minSpacingSeconds: count('Seconds between two of one number, at least.'),
      maxSpacingSeconds: count('Seconds between two of one number, at most.'),
    })
    .describe('How fast campaign messages leave.'),
  otp: z
    .object({ perOrganizationPerMinute: perMinute('One-time codes of the organization') })
    .describe('How many one-time codes may be sent.'),
  trial,
}

const streams = named('StreamUse', 'How many streams are open, and how many may be.', {
  open: count('Streams that are open, of all processes.'),
  limit: count('Streams that may be open at once.'),
})

/** What the organization uses of what has a limit. */
const usageRecord = {
  changes,
  trial,
  numbers: z
    .object({
      used: count('Numbers of the organization.'),
      limit: count('Numbers allowed, or null without a limit.').nullable(),
    })
    .describe('Numbers.'),
  streams: z
    .object({
      events: streams.describe('Streams of GET /events/stream.'),
      overview: streams.describe('Streams of GET /overview/stream, one for each open console.'),
    })
    .describe('Open streams.'),
  recipientChecks: z
    .object({
      known: count('Recipients whose check is still valid, so that they are not checked again.'),
      numbers: z
        .array(
          named('CheckUse', 'What is left of the checks of one number.', {
            containerId: z.uuid().describe('The number.'),
            minuteLeft: count('Checks that pass through it now.'),
            minuteLimit: count('Checks of a minute.'),
            dayLeft: count('Checks left of the last 24 hours; null without such a limit.').nullable(),
            dayLimit: count('Checks of 24 hours; null without such a limit.').nullable(),
          }),
        )
        .describe('The checks of each number.'),
    })
    .describe('Checks whether a recipient is on the network.'),
}

export const account = {
  /** Returns the caller: the person, the organization, its products and the features they unlock. Needs no product. */
  me: route('GET /me', {
    summary: 'Get the account',
    access: { keys: 'account', withoutTwoFactor: true },
    response: ok(accountRecord).meta({
      id: 'Account',
      description: 'The caller: person, organization, products and features.',
    }),
    example: {
      output: {
        id: cast.owner.id,
        name: cast.owner.name,
        email: cast.owner.email,
        memberRole: 'owner',
        organization: { ...cast.organization, requireTwoFactor: false },
        products: ['notify', 'developer', 'connect'],
        features: ['send', 'batch', 'api', 'otp', 'media', 'webhooks', 'campaigns', 'reminders', 'inbox'],
        platformAdmin: false,
        maxNumbers: 3,
        webhookUrl: cast.webhookUrl,
        hasApiKey: true,
        apiKeyPreview: 'msk_0123…',
        apiKeyLastUsedAt: cast.now,
        trial: null,
        networkWarning: null,
      },
    },
    msgctl: 'msgctl account me',
  }),

  /** Returns the limits of the organization and what is left of them. It counts as no change. Needs no product. */
  limits: route('GET /me/limits', {
    summary: 'Get the limits and what is left of them',
    access: { keys: 'account' },
    response: ok(limitsRecord).meta({
      id: 'AccountLimits',
      description: 'The limits over time and what is left of them.',
    }),
    example: {
      output: {
        changes: { limitPerMinute: 300, remaining: 297, retryAfterSeconds: 0, resetsAt: '2026-11-03T09:30:00.600Z' },
        texts: { perNumberPerMinute: 60 },
        campaigns: {
          perNumberPerMinute: 20,
          perOrganizationPerMinute: 60,
          minSpacingSeconds: 3,
          maxSpacingSeconds: 7,
        },
        otp: { perOrganizationPerMinute: 60 },
        trial: null,
      },
    },
    msgctl: 'msgctl limits',
  }),

  /** Returns what the organization uses of what has a limit. It counts as no change. Needs no product. */
  usage: route('GET /me/usage', {
    summary: 'Get the usage',
    access: { keys: 'account' },
    response: ok(usageRecord).meta({
      id: 'AccountUsage',
      description: 'What the organization uses of what has a limit.',
    }),
    example: {
      output: {
        changes: { limitPerMinute: 300, remaining: 297, retryAfterSeconds: 0, resetsAt: '2026-11-03T09:30:00.600Z' },
        trial: null,
        numbers: { used: 2, limit: 3 },
        streams: { events: { open: 1, limit: 20 }, overview: { open: 2, limit: 200 } },
        recipientChecks: {
          known: 214,
          numbers: [
            { containerId: cast.support.containerId, minuteLeft: 58, minuteLimit: 60, dayLeft: 905, dayLimit: 1000 },
          ],
        },
      },
    },
    msgctl: 'msgctl account usage',
  }),

  /**
   * Creates the first account key, shown once. For a signed-in owner or admin. Fails with CONFLICT when there is one.
   */
  generateKey: route('POST /me/generate-key', {
    summary: 'Create the first account key',
    access: keyAccess,
    status: 201,
    response: ok({ apiKey: apiKey.account, apiKeyPreview, warning }),
    errors: ['CONFLICT'],
    secret: true,
    example: {
      output: {
        apiKey: cast.secrets.accountKey,
        apiKeyPreview: 'msk_0123…',
        warning: 'Store this key now. It cannot be shown again.',
      },
    },
    msgctl: 'msgctl keys generate',
  }),

  /**
   * Creates a new account key, shown once. The old one stops working at once. For owners, admins and the account key.
   */
  regenerateKey: route('POST /me/regenerate-key', {
    summary: 'Replace the account key',
    access: keyAccess,
    response: ok({ apiKey: apiKey.account, warning }),
    secret: true,
    example: { output: { apiKey: cast.secrets.accountKey, warning: 'Store this key now. It cannot be shown again.' } },
    msgctl: 'msgctl keys rotate',
  }),
}
