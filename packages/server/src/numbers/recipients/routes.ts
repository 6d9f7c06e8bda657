import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { validateRecipients } from './validate.ts'

export const recipientHandlers = {
  validate: validateRecipients,
} satisfies Handlers<Contract['recipients']>
