import * as z from 'zod'
import { named } from '../model/envelope.ts'
import {
  at,
  atOrNull,
  count,
  messageText,
  phoneNumber,
  plannedReference,
  storedReference,
  text,
  uuid,
} from '../model/fields.ts'
import { instant } from '../model/instants.ts'
import { limits } from '../model/limits.ts'
import { campaignStatuses, type MessageErrorCode, messageErrorCodes, messageStatuses } from '../model/states.ts'
import { storedVariables, variables } from '../model/variables.ts'

export const access = { feature: 'campaigns', keys: 'any' } as const
export const params = z.object({ id: uuid.describe('The campaign.') })

/** Why a message of a campaign failed. */
export const messageErrorCode = z.enum(Object.keys(messageErrorCodes) as [MessageErrorCode, ...MessageErrorCode[]])

/** The status of a recipient: `pending` before a message exists, then the status of the message. */
export const recipientStatuses = ['pending', ...messageStatuses] as const
export type RecipientStatus = (typeof recipientStatuses)[number]

export const id = z.uuid().describe('The campaign.')
export const name = text(1, limits.campaignName).describe('Name, 1 to 255 characters.')
export const template = messageText.describe(
  'The text; {{placeholders}} are filled from the variables of each recipient.',
)
export const recipients = z
  .array(
    named('CampaignTarget', 'Who gets the text of a campaign, and with which values.', {
      phone: phoneNumber,
      variables: variables.optional().describe('Values of the placeholders, keys in any language.'),
    }),
  )
  .min(1)
  .max(limits.campaignRecipients)
  .describe('1 to 10,000 people.')
export const scheduledAt = instant.describe(
  'When to start: ISO 8601 with Z or any offset, at most 5 minutes in the past.',
)
export const anyHour = z
  .boolean()
  .describe(
    'Send at any hour. Otherwise, where guard rules are on, nothing leaves between 22:00 and 8:00 of the recipient.',
  )
export const estimate = {
  estimatedDuration: z.string().describe('How long sending will take, for a person, like 13 h 53 min.'),
  estimatedDurationSeconds: count('How long sending will take, in seconds.'),
}

export const stats = named('CampaignStats', 'The progress of a campaign.', {
  total: count('Recipients.'),
  sent: count('Messages that reached the network.'),
  delivered: count('Messages reported delivered or read.'),
  failed: count('Messages that failed.'),
  read: count('Messages that were read.'),
})

export const record = {
  id,
  name: z.string().describe('Name.'),
  template: z.string().describe('The text with its placeholders.'),
  status: z.enum(campaignStatuses).describe('The state of the campaign.'),
  stats,
  scheduledAt: atOrNull('The scheduled start.'),
  createdAt: at('When it was created.'),
  startError: z
    .string()
    .nullable()
    .describe('The error code of a scheduled start that failed, after which the campaign became a draft.'),
  anyHour,
  pauseReason: z
    .enum(['off_network'])
    .nullable()
    .describe('Why the service paused it: too many recipients are not on the network. Null for every other campaign.'),
  clientReference: storedReference,
}

export const campaign = named('Campaign', 'A campaign and its progress.', record)

export const times = {
  startedAt: atOrNull('When sending began.'),
  completedAt: atOrNull('When the last message was sent or failed.'),
}

export const created = named('CreatedCampaign', 'A new campaign.', {
  id,
  name: record.name,
  status: record.status,
  recipientCount: count('Recipients after duplicates were dropped.'),
  scheduledAt: record.scheduledAt,
  duplicates: count('Recipients dropped because their number was given twice.'),
})

export const draft = {
  name,
  template,
  recipients,
  scheduledAt: scheduledAt.nullable().optional().describe('When to start. Omitted or null makes a draft.'),
  anyHour: anyHour.default(false),
  strictVariables: z
    .boolean()
    .default(false)
    .describe('Refuse when a recipient lacks the value of a placeholder, instead of leaving it empty.'),
  clientReference: plannedReference,
}

const target = { phone: z.string().describe('Digits.'), variables: storedVariables }

/** One entry of a campaign's list, as it was stored. */
export const storedTarget = named('StoredTarget', 'An entry of the list of a campaign.', target)

export const campaignRecipient = named(
  'CampaignRecipient',
  'A recipient of a campaign and what became of the message.',
  {
    ...target,
    messageId: z.uuid().nullable().describe('The message, once there is one.'),
    status: z.enum(recipientStatuses).describe('pending, or the status of the message.'),
    error: z.string().nullable().describe('Why it failed, for a person.'),
    errorCode: messageErrorCode.nullable().describe('Why it failed, as a stable code.'),
    sentAt: atOrNull('When the network took it.'),
    deliveredAt: atOrNull('When it reached the phone.'),
    readAt: atOrNull('When it was read.'),
  },
)
