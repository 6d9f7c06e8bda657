import * as z from 'zod'
import { endpoints } from './endpoints.ts'
import { ok } from './envelope.ts'
import {
  at,
  clientReference,
  containerId,
  count,
  messageText,
  person,
  phone,
  phoneText,
  priority,
  text,
  usedContainerId,
} from './fields.ts'
import { limits } from './limits.ts'
import { directAnswer, directErrors, directSends, networkErrors } from './media.ts'
import { messageWithTimeline } from './messages.ts'
import { type Covers, route } from './route.ts'

const messageId = z.uuid().describe('The message.')
const params = z.object({ messageId })
const queue = priority.default('normal').describe('high jumps the queue and skips the typing indicator.')

/** Beside the gate: the message must be this organization's, from this number, and sent. */
const changeErrors = [
  'MESSAGE_NOT_FOUND',
  'MESSAGE_NOT_SENT',
  'MESSAGE_WRONG_NUMBER',
  'FORBIDDEN_ACTION',
  'NO_SESSION_CONFIGURED',
  ...networkErrors,
] as const

export const alert = {
  /**
   * Queues one text message. It leaves a few seconds later, with a typing indicator; `high` skips both. Any product.
   * NUMBER_NOT_ON_NETWORK when the recipient cannot be reached at all; NO_SESSION_CONFIGURED without a connected number.
   */
  send: route(endpoints.alert.send, {
    summary: 'Queue one text message',
    access: { feature: 'send', keys: 'any' },
    body: z.object({
      phone,
      message: messageText.describe('The text, 1 to 4096 characters; links get a preview.'),
      priority: queue,
      containerId,
      clientReference,
    }),
    status: 201,
    response: ok({
      messageId,
      status: z.literal('queued').describe('It waits in the queue.'),
      priority: priority.describe('Its place in the queue.'),
      containerId: z.uuid().describe('The number it is queued on; the send group may move it.'),
    }),
    errors: [
      'NUMBER_NOT_ON_NETWORK',
      'NO_SESSION_CONFIGURED',
      'NOT_FOUND',
      'NUMBER_VALIDATION_UNAVAILABLE',
      'TRIAL_LIMIT_REACHED',
    ],
    idempotent: true,
    sends: 'queued',
  }),

  ...directSends,

  /**
   * Asks the network which of up to 500 numbers it knows; nothing is sent. Needs Notify, Developer or Connect. Ids
   * ending in `@lid` count as valid, a badly shaped number as invalid; NO_VALID_NUMBERS when none is left.
   */
  validate: route(endpoints.alert.validate, {
    summary: 'Check up to 500 numbers on the network',
    access: { feature: 'batch', keys: 'any' },
    body: z.object({
      phones: z.array(phoneText).min(1).max(limits.validatePhones).describe('1 to 500 numbers or `@lid` ids.'),
      containerId,
    }),
    status: 200,
    response: ok({
      valid: z.array(z.string()).describe('Digits, or `@lid` ids, of those on the network.'),
      invalid: z.array(z.string()).describe('Those that are not, as they were given.'),
      total: count('How many were given.'),
    }),
    errors: ['NO_VALID_NUMBERS', 'NUMBER_VALIDATION_UNAVAILABLE', 'NO_SESSION_CONFIGURED', 'NOT_FOUND'],
  }),

  /**
   * Queues one text for up to 500 people; duplicates are dropped. Needs Notify, Developer or Connect. Numbers off the
   * network are skipped, or refuse the whole batch with NUMBER_NOT_ON_NETWORK when `skipInvalidNumbers` is false.
   */
  batch: route(endpoints.alert.batch, {
    summary: 'Queue one text for up to 500 people',
    access: { feature: 'batch', keys: 'any' },
    body: z.object({
      recipients: z.array(phoneText).min(1).max(limits.batchRecipients).describe('1 to 500 numbers or `@lid` ids.'),
      message: messageText.describe('The text, 1 to 4096 characters.'),
      priority: queue,
      skipInvalidNumbers: z.boolean().default(true).describe('Skip numbers off the network instead of refusing all.'),
      containerId,
      clientReference,
    }),
    status: 201,
    response: ok({
      count: count('Messages queued.'),
      messages: z
        .array(z.object({ phone: person, messageId, containerId: usedContainerId }))
        .describe('One entry for each message queued.'),
      invalidNumbers: z.array(z.string()).describe('Numbers that were skipped, as they were given.'),
      skipped: count('How many were skipped.'),
    }),
    errors: [
      'NO_VALID_NUMBERS',
      'NUMBER_NOT_ON_NETWORK',
      'NUMBER_VALIDATION_UNAVAILABLE',
      'NO_SESSION_CONFIGURED',
      'NOT_FOUND',
      'TRIAL_LIMIT_REACHED',
    ],
    idempotent: true,
    sends: 'queued',
  }),

  /**
   * One message with its timeline; a per-number key sees its own number's messages. This is where a send whose outcome
   * is unknown is looked up before it is tried again. MESSAGE_NOT_FOUND when there is none.
   */
  message: route(endpoints.alert.message, {
    summary: 'Get one message and its timeline',
    access: { keys: 'any' },
    params,
    status: 200,
    response: messageWithTimeline,
    errors: ['MESSAGE_NOT_FOUND'],
  }),

  /**
   * Forwards a sent message to another person, at once. Needs Developer. MESSAGE_NOT_SENT before it was sent;
   * FORBIDDEN_ACTION for a one-time code.
   */
  forward: route(endpoints.alert.forward, {
    summary: 'Forward a message',
    access: { feature: 'media', keys: 'any' },
    params,
    body: z.object({ phone, containerId, clientReference }),
    status: 201,
    response: directAnswer,
    errors: ['MESSAGE_NOT_FOUND', 'MESSAGE_NOT_SENT', 'MESSAGE_WRONG_NUMBER', 'FORBIDDEN_ACTION', ...directErrors],
    idempotent: true,
    sends: 'direct',
  }),

  /**
   * Changes the text, or the caption, of a message sent within the last 15 minutes. Needs Developer. Give exactly one of
   * `message` and `caption`. FORBIDDEN_ACTION after the window, with `windowSeconds` and `ageSeconds`.
   */
  edit: route(endpoints.alert.edit, {
    summary: 'Edit a sent message',
    access: { feature: 'media', keys: 'any' },
    params,
    body: z
      .object({
        message: messageText.optional().describe('The new text of a text message.'),
        caption: text(1, limits.caption).optional().describe('The new caption of a photo, video or file.'),
      })
      .refine((body) => (body.message === undefined) !== (body.caption === undefined), {
        error: 'give either message or caption',
        path: ['message'],
      }),
    status: 200,
    response: ok({
      messageId,
      gatewayMessageId: z.string().describe("The network's own id of the message."),
      containerId: usedContainerId,
      editedAt: at('When it was changed.'),
    }),
    errors: changeErrors,
  }),

  /**
   * Takes a message sent within the last 60 hours off the recipient's phone. Needs Developer. FORBIDDEN_ACTION after
   * the window, with `windowSeconds` and `ageSeconds`.
   */
  delete: route(endpoints.alert.delete, {
    summary: 'Delete a sent message for everyone',
    access: { feature: 'media', keys: 'any' },
    params,
    status: 200,
    response: ok({ messageId, deletedAt: at('When it was deleted.') }),
    errors: changeErrors,
  }),

  /** Takes a queued message back: it fails with errorCode CANCELLED. FORBIDDEN_ACTION once it is no longer queued. */
  cancel: route(endpoints.alert.cancel, {
    summary: 'Take a queued message back',
    access: { feature: 'send', keys: 'any' },
    params,
    status: 200,
    response: ok({ messageId, status: z.literal('failed').describe('It will not be sent.') }),
    errors: ['MESSAGE_NOT_FOUND', 'MESSAGE_WRONG_NUMBER', 'FORBIDDEN_ACTION'],
  }),
} satisfies Covers<typeof endpoints.alert>
