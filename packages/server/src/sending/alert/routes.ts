import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { messageWithTimeline } from '#sending/messages/history/routes.ts'
import { sendBatch } from './batch.ts'
import { cancel, edit, remove } from './change.ts'
import { forward } from './forward.ts'
import { sendText } from './send.ts'
import { sendContact, sendLink, sendLocation, sendPoll } from './send-card.ts'
import { sendFile, sendImage, sendVideo, sendVoice } from './send-media.ts'
import { validatePhones } from './validate.ts'

export const alertHandlers = {
  send: sendText,
  validate: validatePhones,
  batch: sendBatch,
  sendImage,
  sendVideo,
  sendFile,
  sendVoice,
  sendContact,
  sendLocation,
  sendLink,
  sendPoll,
  forward,
  edit,
  delete: remove,
  cancel,

  async message({ caller, params }, services) {
    return messageWithTimeline(services, caller.organizationId, params.messageId, caller.containerId)
  },
} satisfies Partial<Handlers<Contract['alert']>>
