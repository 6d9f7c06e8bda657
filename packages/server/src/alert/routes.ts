import type { Contract } from '@msgctl/contract'
import type { Handlers } from '../http/handler.ts'
import { messageWithTimeline } from '../messages/routes.ts'
import { sendText } from './send.ts'

export const alertHandlers = {
  send: sendText,

  async message({ caller, params }, services) {
    return messageWithTimeline(services, caller.organizationId, params.messageId, caller.containerId)
  },
} satisfies Partial<Handlers<Contract['alert']>>
