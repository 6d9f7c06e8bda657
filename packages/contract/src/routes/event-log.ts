import * as z from 'zod'
import { type EventKind, eventKinds, loggedEvent } from '../events/events.ts'
import * as cast from '../examples/cast.ts'
import { eventExamples } from '../examples/events.ts'
import { ok } from '../model/envelope.ts'
import { limitQuery, uuid } from '../model/fields.ts'
import { filters, timeSpan } from '../model/filters.ts'
import { instant } from '../model/instants.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'

const access = { feature: 'webhooks', keys: 'account' } as const
const after = z.string().max(limits.cursor).optional()

const mostKinds = eventKinds.length * 2
const types = z
  .string()
  .max(1000)
  .transform((list): string[] => list.split(',').map((kind) => kind.trim()))
  .pipe(z.array(z.enum(eventKinds)).max(mostKinds))
  .transform((kinds): EventKind[] => [...new Set(kinds)])
  .optional()
  .meta({
    description: 'Only these kinds of event, separated by commas.',
    type: 'array',
    items: { type: 'string', enum: eventKinds },
    minItems: 1,
    maxItems: mostKinds,
    param: { style: 'form', explode: false },
  })

/** The routes of the event log. Events are kept for 30 days, with or without a webhook. */
export const eventLog = {
  /**
   * Lists events, oldest first, or newest first with `order=newest`. Needs Assistant, Shop or Developer. Pass
   * `nextCursor` as `after`, with the same order and filters, to continue.
   */
  list: route('GET /events', {
    summary: 'List events',
    access,
    query: z.object({
      after: after.describe(
        'The nextCursor of the previous call, or the id of an event. Default: from the first event in this order.',
      ),
      order: z
        .enum(['oldest', 'newest'])
        .default('oldest')
        .describe('Which events come first: the oldest, or the newest.'),
      types,
      ...filters('events'),
      ...timeSpan('events'),
      limit: limitQuery(limits.events),
    }),
    response: ok({
      events: z.array(loggedEvent).describe('The events, in the requested order.'),
      nextCursor: z.string().describe('Where to continue, even if there are no more events yet.'),
      hasMore: z.boolean().describe('Whether there are more events already.'),
    }),
    example: {
      input: { types: 'message.delivered,message.read', limit: 20 },
      output: {
        events: [{ id: cast.eventId, ...eventExamples['message.delivered'] }],
        nextCursor: 'MTA0Mg',
        hasMore: false,
      },
    },
    msgctl: 'msgctl events list --types message.delivered,message.read --limit 20',
  }),

  /**
   * Streams events as they happen (server-sent events), with a heartbeat every 15 s. Resumes after `after` or the
   * Last-Event-ID header; without either it starts at `since`, or now. Needs Assistant, Shop or Developer. RATE_LIMIT
   * beyond 20 streams of an organization.
   */
  stream: route('GET /events/stream', {
    summary: 'Follow events',
    access,
    query: z.object({
      after: after.describe('The id of the last event seen, or a nextCursor. Default: from since, or from now.'),
      types,
      ...filters('events'),
      since: instant
        .optional()
        .describe(
          'Begin with the events from this time on, ISO 8601 with Z or any offset. Without effect after `after`.',
        ),
    }),
    response: loggedEvent,
    errors: ['RATE_LIMIT'],
    stream: true,
    example: {
      input: { types: 'message.inbound' },
      output: { id: cast.deliveryId, ...eventExamples['message.inbound'] },
    },
    msgctl: 'msgctl events tail --types message.inbound',
  }),

  /**
   * Delivers an event again to every webhook endpoint that receives its kind, marked X-Service-Replay. FORBIDDEN_ACTION
   * if there is none.
   */
  replay: route('POST /events/:id/replay', {
    summary: 'Deliver an event again',
    access,
    params: z.object({ id: uuid.describe('The event.') }),
    status: 202,
    response: ok({ eventId: z.uuid().describe('The event; X-Service-Delivery stays the same.') }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    idempotent: true,
    example: { input: { id: cast.eventId }, output: { eventId: cast.eventId } },
    msgctl: `msgctl events replay ${cast.eventId}`,
  }),
}
