import type { Contract } from '@msgctl/contract'
import { openApiDocument } from '@msgctl/contract/openapi'
import type { Handlers } from '../http/handler.ts'

let built: Record<string, unknown> | undefined

/** The description of the API, generated from the contract at the first request and then kept. */
export const openapiHandlers: Handlers<Contract['openapi']> = {
  document: async () => {
    built ??= { ...openApiDocument() }
    return built
  },
}
