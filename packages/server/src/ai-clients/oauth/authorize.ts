import { randomUUID } from 'node:crypto'
import { aiScopes, limits } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import type { OAuthClient } from './client-store.ts'
import { type ClientSource, findClient } from './clients.ts'
import { OAuthError } from './oauth-error.ts'
import { isChallenge, parameter, parseScopes, required, requireResource } from './parameters.ts'
import { isRegisteredRedirect } from './redirect-address.ts'
import { insertRequest } from './request-store.ts'

/**
 * Stores the request of a client for a connection (RFC 6749, 4.1.1) and returns its id. Throws OAuthError for an
 * unknown client or redirect address, and for a faulty request. None of them is redirected: anyone can register a
 * client, and allow it, with an address to which a link to this service would then lead.
 */
export async function authorize(
  source: ClientSource,
  query: URLSearchParams,
  { issuer, browser }: { readonly issuer: string; readonly browser: string },
): Promise<string> {
  const client = await findClient(source, required(query, 'client_id'))
  if (!client) throw new OAuthError('invalid_client', 'This AI client is not known here. Connect it again.')
  const redirectUri = required(query, 'redirect_uri')
  if (!isRegisteredRedirect(client.redirectUris, redirectUri)) {
    throw new OAuthError('invalid_request', 'The redirect_uri is not one that this AI client registered.')
  }
  return store(source, query, { client, redirectUri, issuer, browser })
}

interface Asking {
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly issuer: string
  readonly browser: string
}

async function store({ services }: ClientSource, query: URLSearchParams, asking: Asking): Promise<string> {
  const { client, redirectUri, issuer, browser } = asking
  const state = parameter(query, 'state')
  if (required(query, 'response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The only response_type here is code.')
  }
  const mode = parameter(query, 'response_mode') ?? 'query'
  const codeChallenge = required(query, 'code_challenge')
  if (mode !== 'query' || parameter(query, 'code_challenge_method') !== 'S256' || !isChallenge(codeChallenge)) {
    throw new OAuthError('invalid_request', 'PKCE with S256 is needed, and the response goes into the query.')
  }
  requireResource(query, issuer)
  const id = randomUUID()
  await insertRequest(
    services.db,
    {
      id,
      clientId: client.id,
      clientName: client.name,
      clientHost: client.host,
      redirectUri,
      // A client that names none asks for what the person gives.
      scopes: parseScopes(parameter(query, 'scope')) ?? [...aiScopes],
      state,
      codeChallenge,
      issuer,
      browserHash: hashCredential(browser),
    },
    limits.oauth.requestSeconds,
  )
  return id
}
