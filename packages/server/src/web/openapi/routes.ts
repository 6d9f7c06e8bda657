import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { makeDocument } from './prebuilt.ts'

let built: Record<string, unknown> | undefined

/** The description of the API, made from the contract and then kept. It names the public address, if there is one. */
export const openapiHandlers: Handlers<Contract['openapi']> = {
  async document(_request, { config: { mcp } }) {
    built ??= makeDocument()
    return mcp.publicUrl === null ? built : { ...built, servers: [{ url: `${mcp.publicUrl}/api/v1` }] }
  },
}
