import { randomBytes } from 'node:crypto'
import { limits } from '@msgctl/contract'
import type { Db } from '#platform/db/db.ts'
import { insertRegistered } from './client-store.ts'
import { clientName } from './clients.ts'
import { OAuthError } from './oauth-error.ts'
import { allowedRedirects } from './redirect-address.ts'

const fallbackName = 'AI client'

/** Registers a client (RFC 7591). What it asks for and is not offered is answered as it is. Throws OAuthError. */
export async function register(db: Db, body: unknown): Promise<object> {
  const metadata = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const given = metadata.redirect_uris
  if (!Array.isArray(given) || given.length === 0 || given.length > limits.oauth.redirectAddresses) {
    const message = `redirect_uris must have 1 to ${limits.oauth.redirectAddresses} addresses.`
    throw new OAuthError('invalid_redirect_uri', message)
  }
  const redirectUris = allowedRedirects(given)
  if (redirectUris.length === 0) {
    throw new OAuthError('invalid_redirect_uri', 'Redirects go to https, to http on this machine, or to a program.')
  }
  const client = {
    id: randomBytes(16).toString('hex'),
    name: clientName(metadata.client_name) ?? fallbackName,
    host: null,
    redirectUris,
  }
  const createdAt = await insertRegistered(db, client, limits.oauth.clients)
  if (!createdAt) throw new OAuthError('temporarily_unavailable', 'Too many clients are registered. Try again later.')
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
    client_name: client.name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}
