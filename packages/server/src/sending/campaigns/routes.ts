import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { create, preview, update } from './draft.ts'
import { get, list, progress, recipients, status } from './read.ts'
import { resume, send } from './start.ts'
import { cancel, pause, remove } from './stop.ts'

export const campaignHandlers = {
  create,
  preview,
  list,
  get,
  status,
  recipients,
  progress,
  update,
  send,
  pause,
  resume,
  cancel,
  delete: remove,
} satisfies Handlers<Contract['campaigns']>
