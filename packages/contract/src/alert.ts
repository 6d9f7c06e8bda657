import * as z from 'zod'
import { endpoints } from './endpoints.ts'
import { ok } from './envelope.ts'
import { clientReference, containerId, messageText, phone, priority } from './fields.ts'
import { route } from './route.ts'

export const alert = {
  /** Queues one text message. It leaves a few seconds later, with a typing indicator. */
  send: route(endpoints.alert.send, {
    summary: 'Queue one text message',
    access: { feature: 'send', keys: 'any' },
    body: z.object({ phone, message: messageText, priority: priority.default('normal'), containerId, clientReference }),
    status: 201,
    response: ok({ messageId: z.uuid(), status: z.literal('queued'), priority, containerId: z.uuid() }),
    errors: ['NUMBER_NOT_ON_NETWORK', 'NO_SESSION_CONFIGURED', 'NOT_FOUND', 'NUMBER_VALIDATION_UNAVAILABLE'],
    idempotent: true,
    sends: 'queued',
  }),
}
