import type { Contract } from '@msgctl/contract'
import { openApiDocument } from '@msgctl/contract/openapi'
import type { Handlers } from '#api/http/handler.ts'

let built: Record<string, unknown> | undefined

/**
 * The description of the API, made from the contract at the first request and then kept; the bundle has it as data. It
 * names the public address, if there is one.
 */
export const openapiHandlers: Handlers<Contract['openapi']> = {
  async document(_request, { config: { mcp } }) {
    built ??= { ...openApiDocument() }
    return mcp.publicUrl === null ? built : { ...built, servers: [{ url: `${mcp.publicUrl}/api/v1` }] }
  },
}
