import type { Contract } from '@msgctl/contract'
import type { Handlers } from '../http/handler.ts'
import { messageWithTimeline } from '../messages/routes.ts'
import { sendBatch } from './batch.ts'
import { sendText } from './send.ts'
import { validatePhones } from './validate.ts'

export const alertHandlers = {
  send: sendText,
  validate: validatePhones,
  batch: sendBatch,

  async message({ caller, params }, services) {
    return messageWithTimeline(services, caller.organizationId, params.messageId, caller.containerId)
  },
} satisfies Partial<Handlers<Contract['alert']>>
