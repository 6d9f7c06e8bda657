import { aiScopes } from '@msgctl/contract'
import { basePath } from '#api/http/mount.ts'
import { resourceOf } from './parameters.ts'

/** Returns what /mcp is, and who issues tokens for it (RFC 9728). */
export function protectedResource(issuer: string): object {
  return {
    resource: resourceOf(issuer),
    authorization_servers: [issuer],
    scopes_supported: aiScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Messages for AI clients',
  }
}

/** Returns how clients get tokens (RFC 8414). */
export function authorizationServer(issuer: string): object {
  const at = (path: string) => `${issuer}${basePath}/oauth/${path}`
  return {
    issuer,
    authorization_endpoint: at('authorize'),
    token_endpoint: at('token'),
    registration_endpoint: at('register'),
    revocation_endpoint: at('revoke'),
    scopes_supported: [...aiScopes, 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
}
