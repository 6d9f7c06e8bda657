import * as z from 'zod'
import * as example from '../examples/overview.ts'
import { named, ok } from '../model/envelope.ts'
import { at, atOrNull, count } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { campaignStatuses, numberStatuses } from '../model/states.ts'
import { route } from '../route.ts'
import { stats } from './campaign-records.ts'
import { statusCounts } from './queue.ts'

const access = { keys: 'account' } as const
const upTo = `counted up to ${limits.overview.counted.toLocaleString('en')}`

const waiting = named('WaitingCounts', 'The queued messages of one number.', {
  high: count(`Of high priority, ${upTo}.`),
  normal: count(`Other messages outside of campaigns, ${upTo}.`),
  campaign: count(`Of campaigns, ${upTo}.`),
})

const number = named('OverviewNumber', 'A number and what waits for it.', {
  containerId: z.uuid().describe('The number.'),
  label: z.string().describe('Name given by the organization.'),
  status: z.enum(numberStatuses).describe('The state of its connection; only WORKING can send.'),
  statusSince: at('Since when it has this state.'),
  isDefault: z.boolean().describe('Whether calls without a containerId use it.'),
  queueHeld: z
    .boolean()
    .describe(
      'Whether its queue is held until a release: another phone was linked, or the service was restored from a ' +
        'backup.',
    ),
  heldMessages: count(`Queued messages that wait for the release, ${upTo}; 0 while the queue is not held.`),
  waiting: waiting.describe('Its queued messages.'),
  nextAt: atOrNull('The earliest time at which its next message can leave; null when none can.'),
  restrictedUntil: atOrNull('Until when the network limits what the account may send; null when it does not.'),
})

const campaign = named('OverviewCampaign', 'A campaign under way.', {
  id: z.uuid().describe('The campaign.'),
  name: z.string().describe('Name.'),
  status: z.enum(campaignStatuses).describe('sending or paused.'),
  stats,
})

const overviewRecord = ok({
  at: at('When these figures were read.'),
  messages: named('StatusCounts', 'Messages by status; each counts once, under its present one.', statusCounts),
  numbers: z.array(number).describe('The numbers, oldest first.'),
  campaigns: z
    .array(campaign)
    .nullable()
    .describe('The campaigns that are sending or paused, oldest first; null without the feature campaigns.'),
  unread: count(`Received messages that are not marked read, ${upTo}; null without the feature inbox.`).nullable(),
  deliveries: z
    .object({
      pending: count(`Webhook deliveries that are still to be made, ${upTo}.`),
      dropped24h: count(`Deliveries of events of the last 24 hours that were given up, ${upTo}.`),
    })
    .nullable()
    .describe('The webhook deliveries; null without the feature webhooks.'),
  positions: z
    .object({
      events: count('Events of the organization so far.'),
      chats: count('The time of the newest chat in milliseconds since 1970; 0 without any.'),
    })
    .describe('Figures that move when there are new events, or when a chat has a new message.'),
}).meta({ id: 'Overview', description: 'What an operator watches.' })

/** The figures that an operator watches. */
export const overview = {
  /**
   * Returns what an operator watches: messages by status, the numbers with what waits for them, campaigns under way,
   * unread messages and webhook deliveries. Any product, with the account key or a signed-in user. What the products do
   * not unlock is null.
   */
  get: route('GET /overview', {
    summary: 'Get the overview',
    access,
    response: overviewRecord,
    example: { output: example.overview },
    msgctl: 'msgctl top --once',
  }),

  /**
   * Streams the overview (server-sent events): the whole record at first, then again when it differs, at most once a
   * second, with a heartbeat every 15 s. There is nothing to resume: the next record is the present state. RATE_LIMIT
   * beyond 200 streams of an organization.
   */
  stream: route('GET /overview/stream', {
    summary: 'Follow the overview',
    access,
    response: overviewRecord,
    errors: ['RATE_LIMIT'],
    stream: true,
    example: { output: example.overview },
    msgctl: 'msgctl top',
  }),
}
