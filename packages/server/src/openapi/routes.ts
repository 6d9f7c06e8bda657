import type { Contract } from '@msgctl/contract'
import { openApiDocument } from '@msgctl/contract/openapi'
import type { Handlers } from '../http/handler.ts'

let built: Record<string, unknown> | undefined

/** The description of the API, made from the contract when it is asked for first and then kept. */
export const openapiHandlers: Handlers<Contract['openapi']> = {
  document: async () => {
    built ??= { ...openApiDocument() }
    return built
  },
}
