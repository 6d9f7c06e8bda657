import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import { piped } from '../examples/shell.ts'
import { named, ok } from '../model/envelope.ts'
import {
  clientReference,
  containerId,
  count,
  messageText,
  person,
  phone,
  phoneText,
  priority,
  usedContainerId,
} from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'
import { directSends } from './media.ts'
import { messageChanges } from './message-changes.ts'

const messageId = z.uuid().describe('The message.')
const queue = priority.default('normal').describe('high goes to the front of the queue and skips the typing indicator.')

const texts = {
  /**
   * Queues one text message. It is sent a few seconds later, with a typing indicator; `high` skips both. Any product.
   * NUMBER_NOT_ON_NETWORK if the recipient is not on the network; NO_SESSION_CONFIGURED without a connected number.
   */
  send: route('POST /alert/send', {
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
      status: z.literal('queued').describe('It is in the queue.'),
      priority: priority.describe('Its priority in the queue.'),
      containerId: z.uuid().describe('The number it is queued on; the send group can move it to another.'),
    }).meta({ id: 'QueuedMessage', description: 'A message that waits in the queue.' }),
    errors: [
      'NUMBER_NOT_ON_NETWORK',
      'NO_SESSION_CONFIGURED',
      'NOT_FOUND',
      'NUMBER_VALIDATION_UNAVAILABLE',
      'TRIAL_LIMIT_REACHED',
    ],
    sends: 'queued',
    idempotent: true,
    example: {
      input: { phone: cast.jane.typed, message: cast.order.text, clientReference: cast.order.clientReference },
      output: {
        messageId: cast.order.messageId,
        status: 'queued',
        priority: 'normal',
        containerId: cast.support.containerId,
      },
    },
    msgctl: `msgctl send ${cast.jane.typed} "${cast.order.text}" --reference ${cast.order.clientReference}`,
  }),

  /**
   * Checks which of up to 500 numbers are on the network, and sends nothing. Needs Notify, Developer or Connect. Ids
   * ending in `@lid` count as valid, malformed numbers as invalid. NO_VALID_NUMBERS if none is valid.
   */
  validate: route('POST /alert/validate', {
    summary: 'Check up to 500 numbers on the network',
    access: { feature: 'batch', keys: 'any' },
    body: z.object({
      phones: z.array(phoneText).min(1).max(limits.validatePhones).describe('1 to 500 numbers or `@lid` ids.'),
      containerId,
    }),
    response: ok({
      valid: z.array(z.string()).describe('The numbers on the network, as digits or `@lid` ids.'),
      invalid: z.array(z.string()).describe('The other numbers, as they were sent.'),
      total: count('Numbers in the request.'),
    }),
    errors: ['NO_VALID_NUMBERS', 'NUMBER_VALIDATION_UNAVAILABLE', 'NO_SESSION_CONFIGURED', 'NOT_FOUND'],
    reads: true,
    example: {
      input: { phones: [cast.jane.typed, cast.unknownPhone.typed] },
      output: { valid: [cast.jane.phone], invalid: [cast.unknownPhone.typed], total: 2 },
    },
    msgctl: `msgctl validate ${cast.jane.typed} ${cast.unknownPhone.typed}`,
  }),

  /**
   * Queues one text for up to 500 recipients; duplicates are removed. Needs Notify, Developer or Connect. Numbers that
   * are not on the network are skipped. With `skipInvalidNumbers` false they reject the batch with
   * NUMBER_NOT_ON_NETWORK.
   */
  batch: route('POST /alert/batch', {
    summary: 'Queue one text for up to 500 recipients',
    access: { feature: 'batch', keys: 'any' },
    body: z.object({
      recipients: z.array(phoneText).min(1).max(limits.batchRecipients).describe('1 to 500 numbers or `@lid` ids.'),
      message: messageText.describe('The text, 1 to 4096 characters.'),
      priority: queue,
      skipInvalidNumbers: z
        .boolean()
        .default(true)
        .describe('Skip numbers that are not on the network instead of rejecting the batch.'),
      skipUnchecked: z
        .boolean()
        .default(false)
        .describe('Skip numbers that cannot be checked now instead of rejecting the batch; notChecked lists them.'),
      containerId,
      clientReference,
    }),
    status: 201,
    response: ok({
      count: count('Messages queued.'),
      messages: z
        .array(
          named('BatchMessage', 'One message of a batch.', { phone: person, messageId, containerId: usedContainerId }),
        )
        .describe('One entry for each message queued.'),
      invalidNumbers: z.array(z.string()).describe('The skipped numbers, as they were sent.'),
      notChecked: z
        .array(z.string())
        .optional()
        .describe('The numbers that skipUnchecked skipped, as they were sent. Absent without any.'),
      skipped: count('Numbers skipped, those that were not checked included.'),
      duplicates: count('Entries dropped because their number was given twice.'),
    }),
    errors: [
      'NO_VALID_NUMBERS',
      'NUMBER_NOT_ON_NETWORK',
      'NUMBER_VALIDATION_UNAVAILABLE',
      'NO_SESSION_CONFIGURED',
      'NOT_FOUND',
      'TRIAL_LIMIT_REACHED',
    ],
    sends: 'queued',
    idempotent: true,
    example: {
      input: {
        recipients: [cast.jane.typed, cast.jose.typed, cast.unknownPhone.typed],
        message: 'We are closed on Monday.',
      },
      output: {
        count: 2,
        messages: [
          { phone: cast.jane.phone, messageId: cast.order.messageId, containerId: cast.support.containerId },
          { phone: cast.jose.phone, messageId: cast.receipt.messageId, containerId: cast.support.containerId },
        ],
        invalidNumbers: [cast.unknownPhone.typed],
        skipped: 1,
        duplicates: 0,
      },
    },
    msgctl: piped(
      `${cast.jane.typed}\n${cast.jose.typed}\n${cast.unknownPhone.typed}`,
      'msgctl batch "We are closed on Monday." --file - --yes',
    ),
  }),
}

type Alert = typeof texts & typeof directSends & typeof messageChanges

/** Messages to recipients: queued texts, direct sends, and changes to messages. */
export const alert: Alert = { ...texts, ...directSends, ...messageChanges }
