import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import * as example from '../examples/messages.ts'
import { named, ok } from '../model/envelope.ts'
import { atOrNull, count, limitQuery, person, priority, uuid } from '../model/fields.ts'
import { instant } from '../model/instants.ts'
import { limits } from '../model/limits.ts'
import { type MessageStatus, messageStatuses } from '../model/states.ts'
import { route } from '../route.ts'

const access = { keys: 'account' } as const

/** Why a queued message has not left yet. */
export const queueWaits = ['pace', 'number', 'release', 'restricted', 'time'] as const
export type QueueWait = (typeof queueWaits)[number]

const queuedMessage = named('WaitingMessage', 'A message that waits, and when it leaves.', {
  id: z.uuid().describe('The message.'),
  recipient: person,
  content: z.string().describe('The first 200 characters of the text.'),
  priority: priority.describe('Its priority in the queue.'),
  campaignId: z.uuid().nullable().describe('The campaign it belongs to.'),
  status: z.enum(['queued', 'sending']).describe('sending: a worker has it and sends it at its time.'),
  leavesAt: atOrNull('When it will leave; null while that is not known.'),
  estimated: z.boolean().describe('Whether leavesAt is an estimate: campaign messages leave at random distances.'),
  waitsFor: z
    .enum(queueWaits)
    .nullable()
    .describe(
      'pace: the messages before it; number: its number does not work; release: its queue is held; restricted: ' +
        'the network limits what the account may send; time: it is not due, or a rule that protects the number ' +
        'holds it; null: it leaves now.',
    ),
})

const lane = named('QueueLane', 'The queue of one number.', {
  containerId: z.uuid().describe('The number.'),
  messages: z.array(queuedMessage).describe('The next messages, in the order in which they leave.'),
})

const { statsDays } = limits

/** A count for each status of a message. */
export const statusCounts = Object.fromEntries(
  messageStatuses.map((status) => [status, count(`Messages with the status ${status}.`)]),
) as Record<MessageStatus, z.ZodInt>

/** The types of messages, again: messages.ts imports this file. */
const types = ['alert', 'bulk', 'otp'] as const

/** The routes of waiting messages and of counts by hour. */
export const queueRoutes = {
  /**
   * Counts the messages of each hour by type and status. An hour counts the messages that were accepted in it, under
   * their present status. Hours without messages are left out. Default: the last 24 hours; at most 31 days.
   */
  hours: route('GET /stats/hours', {
    summary: 'Count messages by hour',
    access,
    query: z.object({
      from: instant.optional().describe('From the hour of this time on, ISO 8601. Default: 24 hours before `to`.'),
      to: instant
        .optional()
        .describe(`Until this time, ISO 8601. Default: now. At most ${statsDays} days after \`from\`.`),
      type: z.enum(types).optional().describe('Only messages of this type.'),
    }),
    response: ok({
      hours: z
        .array(
          named('HourCounts', 'The messages of one type that were accepted in one hour.', {
            hour: z.iso.datetime().describe('The beginning of the hour, ISO 8601 UTC.'),
            type: z.enum(types).describe('The type of the messages.'),
            ...statusCounts,
          }),
        )
        .describe('The hours, oldest first.'),
    }),
    example: {
      input: { from: '2026-11-02T09:00:00Z', to: '2026-11-03T09:30:00Z' },
      output: {
        hours: [
          { hour: '2026-11-02T15:00:00.000Z', type: 'bulk', ...example.noMessages, delivered: 1, read: 1 },
          { hour: '2026-11-03T09:00:00.000Z', type: 'alert', ...example.noMessages, queued: 1, read: 12, failed: 1 },
        ],
      },
    },
    msgctl: 'msgctl stats --hours 24',
  }),

  /**
   * Lists what waits on each number, in the order in which it leaves, with the time at which it will. The times follow
   * from the pace of the number, as if nothing else were queued and every send were quick.
   */
  queue: route('GET /queue', {
    summary: 'List what waits, and when it leaves',
    access,
    query: z.object({
      containerId: uuid.optional().describe('Only the queue of this number.'),
      limit: limitQuery(limits.queue).describe(`Messages for each number, up to ${limits.queue.max}.`),
    }),
    response: ok({ lanes: z.array(lane).describe('The queues, those of the oldest numbers first.') }),
    errors: ['NOT_FOUND'],
    example: {
      input: { containerId: cast.support.containerId, limit: 20 },
      output: {
        lanes: [
          {
            containerId: cast.support.containerId,
            messages: [
              {
                id: cast.order.messageId,
                recipient: cast.jane.phone,
                content: cast.order.text,
                priority: 'normal',
                campaignId: null,
                status: 'queued',
                leavesAt: cast.order.sentAt,
                estimated: false,
                waitsFor: 'pace',
              },
            ],
          },
        ],
      },
    },
    msgctl: `msgctl messages queue --number ${cast.support.label}`,
  }),
} as const
