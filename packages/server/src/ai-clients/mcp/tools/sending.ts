import { contract, type OutputOf } from '@msgctl/contract'
import * as z from 'zod'
import { tool } from '#ai-clients/mcp/tool.ts'
import { defined, idempotencyKey, message, ownNumber, person, waitable } from './fields.ts'

const sent = contract.alert.send.response.shape

type Sent = OutputOf<'alert', 'send'>

export const sendMessage = tool({
  name: 'send_message',
  title: 'Send a message',
  description:
    'Send one text message to one person. A message to someone who never wrote waits until a person approves ' +
    'it: then the answer has an approval with the address of the page to show to the user.',
  scope: 'send',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.object({
    phone: person,
    message,
    idempotencyKey,
    containerId: ownNumber,
  }),
  output: waitable({ messageId: sent.messageId, status: sent.status, containerId: sent.containerId }),
  route: () => ['alert', 'send'],
  effect: { waits: 'strangers', recipient: ({ phone }) => phone, text: ({ message }) => message },
  toInput: ({ phone, message, containerId }) => ({
    body: defined({ phone, message, priority: 'normal', containerId }),
  }),
  toAnswer: ({ messageId, status, containerId }: Sent) => ({ messageId, status, containerId }),
})
