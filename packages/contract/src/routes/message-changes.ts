import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import * as example from '../examples/messages.ts'
import { ok } from '../model/envelope.ts'
import { at, clientReference, containerId, messageText, phone, text, usedContainerId, uuid } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'
import { directAnswer, directErrors, networkErrors } from './direct.ts'
import { messageWithTimeline } from './messages.ts'

const messageId = uuid.describe('The message.')
const params = z.object({ messageId })

/** The message must belong to the organization and to the number of the key, and must be sent. */
const changeErrors = [
  'MESSAGE_NOT_FOUND',
  'MESSAGE_NOT_SENT',
  'MESSAGE_WRONG_NUMBER',
  'FORBIDDEN_ACTION',
  'NO_SESSION_CONFIGURED',
  ...networkErrors,
] as const

/** The routes of one stored message. */
export const messageChanges = {
  /**
   * Returns one message with its timeline; a per-number key reads the messages of its own number. Check a send of
   * unknown outcome here before you repeat it. MESSAGE_NOT_FOUND if there is no such message.
   */
  message: route('GET /alert/messages/:messageId', {
    summary: 'Get one message and its timeline',
    access: { keys: 'any' },
    params,
    response: messageWithTimeline,
    errors: ['MESSAGE_NOT_FOUND'],
    example: { input: { messageId: cast.order.messageId }, output: example.withTimeline },
    msgctl: `msgctl messages show ${cast.order.messageId}`,
  }),

  /**
   * Forwards a sent message to another recipient at once. Needs Developer. MESSAGE_NOT_SENT before it was sent;
   * FORBIDDEN_ACTION for a one-time code.
   */
  forward: route('POST /alert/messages/:messageId/forward', {
    summary: 'Forward a message',
    access: { feature: 'media', keys: 'any' },
    params,
    body: z.object({ phone, containerId, clientReference }),
    status: 201,
    response: directAnswer,
    errors: ['MESSAGE_NOT_FOUND', 'MESSAGE_NOT_SENT', 'MESSAGE_WRONG_NUMBER', 'FORBIDDEN_ACTION', ...directErrors],
    sends: 'direct',
    idempotent: true,
    example: { input: { messageId: cast.order.messageId, phone: cast.jose.typed }, output: example.sent },
    msgctl: `msgctl messages forward ${cast.order.messageId} ${cast.jose.typed}`,
  }),

  /**
   * Changes the text or the caption of a message sent within the last 15 minutes. Needs Developer. Pass either
   * `message` or `caption`. FORBIDDEN_ACTION after the window, with `windowSeconds` and `ageSeconds`.
   */
  edit: route('PUT /alert/messages/:messageId', {
    summary: 'Edit a sent message',
    access: { feature: 'media', keys: 'any' },
    params,
    body: z
      .object({
        message: messageText.optional().describe('The new text of a text message.'),
        caption: text(1, limits.caption).optional().describe('The new caption of a photo, video or file.'),
      })
      .refine((body) => (body.message === undefined) !== (body.caption === undefined), {
        error: 'or caption must be given, and not both',
        path: ['message'],
      }),
    response: ok({
      messageId,
      gatewayMessageId: z.string().describe("The network's own id of the message."),
      containerId: usedContainerId,
      editedAt: at('When it was changed.'),
    }),
    errors: changeErrors,
    example: {
      input: { messageId: cast.order.messageId, message: 'Your order 1042 arrives tomorrow.' },
      output: {
        messageId: cast.order.messageId,
        gatewayMessageId: cast.order.gatewayMessageId,
        containerId: cast.support.containerId,
        editedAt: cast.now,
      },
    },
    msgctl: `msgctl messages edit ${cast.order.messageId} "Your order 1042 arrives tomorrow."`,
  }),

  /**
   * Deletes a message sent within the last 60 hours from the recipient's phone. Needs Developer. FORBIDDEN_ACTION after
   * the window, with `windowSeconds` and `ageSeconds`.
   */
  delete: route('DELETE /alert/messages/:messageId', {
    summary: 'Delete a sent message for everyone',
    access: { feature: 'media', keys: 'any' },
    params,
    response: ok({ messageId, deletedAt: at('When it was deleted.') }),
    errors: changeErrors,
    example: {
      input: { messageId: cast.order.messageId },
      output: { messageId: cast.order.messageId, deletedAt: cast.now },
    },
    msgctl: `msgctl messages delete ${cast.order.messageId}`,
  }),

  /** Cancels a queued message: it fails with errorCode CANCELLED. FORBIDDEN_ACTION when it is no longer queued. */
  cancel: route('POST /alert/messages/:messageId/cancel', {
    summary: 'Cancel a queued message',
    access: { feature: 'send', keys: 'any' },
    params,
    response: ok({ messageId, status: z.literal('failed').describe('It will not be sent.') }),
    errors: ['MESSAGE_NOT_FOUND', 'MESSAGE_WRONG_NUMBER', 'FORBIDDEN_ACTION'],
    example: {
      input: { messageId: cast.order.messageId },
      output: { messageId: cast.order.messageId, status: 'failed' },
    },
    msgctl: `msgctl messages cancel ${cast.order.messageId}`,
  }),
}
