import { contract, limits, type OutputOf, repeats } from '@msgctl/contract'
import * as z from 'zod'
import { type Hints, tool } from '#ai-clients/mcp/tool.ts'
import { renderTemplate } from '#sending/messages/template.ts'
import { defined, idempotencyKey, message, ownNumber, person, waitable } from './fields.ts'

const changes: Hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }

type Read = OutputOf<'chats', 'read'>

export const markRead = tool({
  name: 'mark_read',
  title: 'Mark a chat read',
  description:
    'Mark all messages received from one person as read, in this service only. The person sees no read receipts.',
  scope: 'manage',
  hints: changes,
  input: z.object({ phone: person }),
  output: contract.chats.read.response.omit({ success: true }),
  route: () => ['chats', 'read'],
  toInput: ({ phone }) => ({ params: { phone } }),
  toAnswer: ({ marked }: Read) => ({ marked }),
})

const values = z
  .record(z.string().max(limits.variables.key), z.string().max(limits.variables.value))
  .meta({ maxProperties: limits.variables.entries })
  .optional()
const strictVariables = z
  .boolean()
  .default(true)
  .describe('Refuse when a placeholder has no value, instead of leaving it empty.')

const reminder = contract.reminders.create.response.shape.reminder

type Reminder = OutputOf<'reminders', 'create'>

export const createReminder = tool({
  name: 'create_reminder',
  title: 'Create a reminder',
  description:
    'Plan a message to one person at a set time, once or repeated. One to someone who never wrote waits until ' +
    'a person approves it.',
  scope: 'manage',
  hints: { ...changes, openWorldHint: true },
  input: z.object({
    phone: person,
    message,
    sendAt: z
      .string()
      .max(limits.instant)
      .describe(
        'When to send it: ISO 8601 with Z or an offset, such as 2030-01-31T09:00:00+01:00, or a local time ' +
          'with timeZone.',
      ),
    repeat: z.enum(repeats).default('none').describe('How often it repeats.'),
    timeZone: z
      .string()
      .max(limits.timeZone)
      .optional()
      .describe('The time zone of a local sendAt, which repeats keep, such as Europe/Berlin.'),
    variables: values.describe('Values of the {{placeholders}} of the message.'),
    strictVariables,
    label: z.string().max(limits.label).optional().describe('A name to find it by.'),
    idempotencyKey,
    containerId: ownNumber,
  }),
  output: waitable({ reminderId: reminder.shape.id, status: reminder.shape.status, sendAt: reminder.shape.sendAt }),
  route: () => ['reminders', 'create'],
  effect: {
    waits: 'strangers',
    recipient: ({ phone }) => phone,
    text: ({ message, variables = {} }) => renderTemplate(message, variables),
  },
  toInput: ({ idempotencyKey: _key, ...body }) => ({ body: defined(body) }),
  toAnswer: ({ reminder: { id, status, sendAt } }: Reminder) => ({ reminderId: id, status, sendAt }),
})

export const cancelReminder = tool({
  name: 'cancel_reminder',
  title: 'Cancel a reminder',
  description: 'Cancel a planned message, so that it is never sent.',
  scope: 'manage',
  hints: { ...changes, destructiveHint: true },
  input: z.object({ reminderId: z.uuid().describe('The reminder.') }),
  output: z.object({ reminderId: reminder.shape.id, status: reminder.shape.status }),
  route: () => ['reminders', 'cancel'],
  toInput: ({ reminderId }) => ({ params: { id: reminderId } }),
  toAnswer: ({ reminder: { id, status } }: Reminder) => ({ reminderId: id, status }),
})

const created = contract.campaigns.create.response.shape.campaign.shape

type Created = OutputOf<'campaigns', 'create'>

export const createCampaign = tool({
  name: 'create_campaign',
  title: 'Prepare a campaign',
  description:
    `Prepare a text to many people as a draft, up to ${limits.mcp.campaignRecipients}. Nothing is sent before ` +
    'start_campaign.',
  scope: 'manage',
  hints: changes,
  input: z.object({
    name: z.string().max(limits.campaignName).describe('Name of the campaign.'),
    template: z
      .string()
      .max(limits.message)
      .describe('The text; {{placeholders}} are filled from the variables of each recipient.'),
    recipients: z
      .array(
        z.object({
          phone: z.string().max(limits.phone.max).describe('International number like +12025550100.'),
          variables: values.describe('Values of the placeholders.'),
        }),
      )
      .min(1)
      .max(limits.mcp.campaignRecipients)
      .describe('Who gets it.'),
    strictVariables,
    idempotencyKey,
  }),
  output: z.object({
    campaignId: created.id,
    status: created.status,
    recipientCount: created.recipientCount,
    duplicates: created.duplicates,
  }),
  route: () => ['campaigns', 'create'],
  toInput: ({ name, template, recipients, strictVariables }) => ({
    body: { name, template, recipients, strictVariables },
  }),
  toAnswer: ({ campaign: { id, status, recipientCount, duplicates } }: Created) => ({
    campaignId: id,
    status,
    recipientCount,
    duplicates,
  }),
})

const started = contract.campaigns.send.response.shape

type Started = OutputOf<'campaigns', 'send'>

export const startCampaign = tool({
  name: 'start_campaign',
  title: 'Start a campaign',
  description: 'Ask a person to start a campaign. It always waits until a person approves it.',
  scope: 'manage',
  hints: { ...changes, destructiveHint: true, openWorldHint: true },
  input: z.object({
    campaignId: z.uuid().describe('The campaign.'),
    idempotencyKey,
    containerId: ownNumber,
  }),
  output: waitable({
    campaignId: started.campaignId,
    status: started.status,
    totalRecipients: started.totalRecipients,
    estimatedDuration: started.estimatedDuration,
  }),
  route: () => ['campaigns', 'send'],
  effect: { waits: 'always', recipient: () => null, text: () => null },
  toInput: ({ campaignId, containerId }) => ({ params: { id: campaignId }, body: defined({ containerId }) }),
  toAnswer: ({ campaignId, status, totalRecipients, estimatedDuration }: Started) => ({
    campaignId,
    status,
    totalRecipients,
    estimatedDuration,
  }),
})
