import { proxyLocation } from '@msgctl/network/proxy-address'
import type { SecretLocation } from '@msgctl/network/secrets'
import { toArgumentsPlace } from '#ai-clients/mcp/approvals/actions.ts'
import { toSecretPlace as toEndpointPlace } from '#events/webhook/signing/secret.ts'
import { keyLocation } from '#networks/gateway/waha/hosts.ts'
import { toSecretPlace as toAuthenticatorPlace } from '#people/auth/two-factor/second-step.ts'
import { toBodyPlace } from '#platform/mail/queue.ts'

/** A column of secrets at rest. */
export interface SealedColumn {
  readonly table: string
  /** The column that identifies a row: a UUID. */
  readonly id: string
  readonly column: string
  /** The column whose value `place` is given; default: that of `id`. */
  readonly of?: string
  /** Returns where a secret is stored, for its encryption. */
  place(of: string): SecretLocation
}

/** Every column with secrets at rest. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'webhooks', id: 'id', column: 'secret', of: 'organization_id', place: toEndpointPlace },
  { table: 'webhooks', id: 'id', column: 'previous_secret', of: 'organization_id', place: toEndpointPlace },
  { table: 'waha_hosts', id: 'id', column: 'sealed_key', place: (id) => keyLocation(id, 'key') },
  { table: 'waha_hosts', id: 'id', column: 'sealed_hook_key', place: (id) => keyLocation(id, 'hook_key') },
  { table: 'user_two_factor', id: 'user_id', column: 'sealed_secret', place: toAuthenticatorPlace },
  { table: 'user_two_factor', id: 'user_id', column: 'pending_sealed', place: toAuthenticatorPlace },
  { table: 'mails', id: 'id', column: 'sealed_body', place: toBodyPlace },
  { table: 'mcp_actions', id: 'id', column: 'arguments_sealed', place: toArgumentsPlace },
  {
    table: 'gateway_sessions',
    id: 'container_id',
    column: 'sealed_key',
    place: (id) => `gateway_sessions:sealed_key:${id}`,
  },
  { table: 'gateway_sessions', id: 'container_id', column: 'sealed_proxy', place: proxyLocation },
]
