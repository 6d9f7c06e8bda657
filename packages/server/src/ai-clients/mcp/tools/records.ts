import { contract, limits, type OutputOf } from '@msgctl/contract'
import * as z from 'zod'
import { readTool } from '#ai-clients/mcp/tool.ts'
import { defined, rows, truncated } from './fields.ts'

const message = contract.alert.message.response.shape.message.shape

type OneMessage = OutputOf<'alert', 'message'>

export const getMessage = readTool({
  name: 'get_message',
  title: 'Get a sent message',
  description:
    'Get one message that this service sent, by its messageId: its text, and whether it was sent, delivered and read.',
  input: z.object({ messageId: z.uuid().describe('The message, as send_message returned it.') }),
  output: z.object({
    messageId: message.id,
    recipient: message.recipient,
    content: message.content,
    status: message.status,
    error: message.error,
    createdAt: message.createdAt,
    sentAt: message.sentAt,
    deliveredAt: message.deliveredAt,
    readAt: message.readAt,
    containerId: message.containerId,
    truncated,
  }),
  route: () => ['alert', 'message'],
  toInput: ({ messageId }) => ({ params: { messageId } }),
  toAnswer: ({ message: one }: OneMessage) => ({
    messageId: one.id,
    recipient: one.recipient,
    content: one.content,
    status: one.status,
    error: one.error,
    createdAt: one.createdAt,
    sentAt: one.sentAt,
    deliveredAt: one.deliveredAt,
    readAt: one.readAt,
    containerId: one.containerId,
  }),
})

const campaign = contract.campaigns.list.response.shape.campaigns.element

type Campaigns = OutputOf<'campaigns', 'list'>
type OneCampaign = OutputOf<'campaigns', 'get'>

export const listCampaigns = readTool({
  name: 'list_campaigns',
  title: 'List campaigns',
  description: `List campaigns with their progress, newest first, up to ${limits.mcp.rows}.`,
  input: z.object({}),
  output: z.object({
    campaigns: z.array(campaign.extend({ truncated })).describe('The campaigns, newest first.'),
    truncated,
  }),
  route: () => ['campaigns', 'list'],
  toInput: () => ({}),
  toAnswer: ({ campaigns }: Campaigns) => ({ campaigns: campaigns.slice(-limits.mcp.rows).reverse() }),
})

export const getCampaign = readTool({
  name: 'get_campaign',
  title: 'Get a campaign',
  description: 'Get one campaign with its text and its progress.',
  input: z.object({ campaignId: z.uuid().describe('The campaign.') }),
  output: contract.campaigns.get.response.omit({ success: true }).extend({ truncated }),
  // The route without recipients: a campaign has up to 10,000 of them.
  route: () => ['campaigns', 'get'],
  toInput: ({ campaignId }) => ({ params: { id: campaignId } }),
  toAnswer: ({ success: _success, ...one }: OneCampaign) => one,
})

const reminder = contract.reminders.list.response.shape.reminders.element
const statuses = contract.reminders.list.query.shape.status

type Reminders = OutputOf<'reminders', 'list'>

export const listReminders = readTool({
  name: 'list_reminders',
  title: 'List reminders',
  description: 'List messages that will be sent at a set time, the next one first.',
  input: z.object({
    status: statuses,
    search: z.string().max(limits.search).optional().describe('Part of the phone number or label.'),
    limit: rows,
  }),
  output: z.object({
    total: z.int().describe('How many match.'),
    reminders: z.array(reminder.extend({ truncated })).describe('The reminders.'),
    truncated,
  }),
  route: () => ['reminders', 'list'],
  toInput: ({ status, search, limit }) => ({ query: defined({ status, search, limit }) }),
  toAnswer: ({ total, reminders }: Reminders) => ({ total, reminders }),
})
