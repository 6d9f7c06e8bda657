import { apiError } from '#platform/errors.ts'
import type { AiCaller } from './caller.ts'
import type { McpSettings } from './settings-store.ts'
import type { ToolRights } from './tool.ts'

/** Throws FORBIDDEN_ACTION where the organization turned AI clients off. */
export function requireEnabled({ enabled }: McpSettings): void {
  if (enabled) return
  throw apiError('FORBIDDEN_ACTION', 'The organization turned AI clients off. An owner or admin can turn them on.', {
    reason: 'mcp_disabled',
  })
}

/** Returns what a caller may use: a connection what it was given, a key what the organization gives to keys. */
export function rightsOf({ identity, scopes }: AiCaller, { keyScopes }: McpSettings): Omit<ToolRights, 'isReadOnly'> {
  const { containerId, products, kind } = identity.caller
  return { containerId, products, isKey: kind !== 'user', scopes: scopes ?? new Set(keyScopes) }
}
