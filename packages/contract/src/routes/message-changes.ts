import * as z from 'zod'
import { endpoints } from '../endpoints.ts'
import { ok } from '../model/envelope.ts'
import { at, clientReference, containerId, messageText, phone, text, usedContainerId, uuid } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'
import { directAnswer, directErrors, networkErrors } from './direct.ts'
import { messageWithTimeline } from './messages.ts'

const messageId = uuid.describe('The message.')
const params = z.object({ messageId })

/** Beside the gate: the message must be this organization's, from this number, and sent. */
const changeErrors = [
  'MESSAGE_NOT_FOUND',
  'MESSAGE_NOT_SENT',
  'MESSAGE_WRONG_NUMBER',
  'FORBIDDEN_ACTION',
  'NO_SESSION_CONFIGURED',
  ...networkErrors,
] as const

/** The routes of one message that exists already. */
export const messageChanges = {
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
        error: 'or caption must be given, and not both',
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
}
