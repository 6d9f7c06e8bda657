import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { makeDocument } from './prebuilt.ts'

let built: Record<string, unknown> | undefined

/** The description of the API, made from the contract and then kept. */
export const openapiHandlers: Handlers<Contract['openapi']> = {
  document: async () => {
    built ??= makeDocument()
    return built
  },
}
