import { createHash, randomBytes } from 'node:crypto'
import type { AiScope } from '@msgctl/contract'
import type { FileServer } from '#testing/file-server.ts'
import type { TestServer } from '#testing/start-server.ts'

/** A browser of a test: it keeps the cookie of the consent page, and a person is signed in. */
export interface Browser {
  readonly cookie: string
  readonly requestId: string
}

/**
 * Opens the address of a client in a browser. Returns the request, or the response that was no redirect to the page.
 */
export async function openAuthorization(
  address: URL | string,
  cookie = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Browser> {
  const response = await fetch(address, { redirect: 'manual', headers: { cookie, ...headers } })
  const location = response.headers.get('location') ?? ''
  const requestId = /\/connect#request=([\w-]+)$/.exec(location)?.[1]
  if (response.status !== 303 || requestId === undefined) {
    throw new Error(`authorize responded ${response.status} ${location} ${await response.text()}`)
  }
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', requestId }
}

/** Calls one of the routes of the consent page, as its script does. */
export async function answerRequest(
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  { cookie, requestId }: Browser,
  verb: '' | '/approve' | '/deny',
  { token, body }: { readonly token: string; readonly body?: object },
): Promise<Response> {
  return fetch(`${baseUrl}/oauth/requests/${requestId}${verb}`, {
    method: verb === '' ? 'GET' : 'POST',
    headers: { cookie, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** What a person gives. */
export interface Given {
  readonly token: string
  readonly scopes?: readonly AiScope[]
  readonly containerId?: string | null
}

/** Allows a request in a browser. Returns where the client is sent. */
export async function consent(
  server: Pick<TestServer, 'baseUrl'>,
  address: URL | string,
  { token, scopes = ['read'], containerId = null }: Given,
): Promise<URL> {
  const browser = await openAuthorization(address)
  const response = await answerRequest(server, browser, '/approve', { token, body: { scopes, containerId } })
  const answer = (await response.json()) as { redirectTo?: string }
  if (answer.redirectTo === undefined) throw new Error(`approve responded ${response.status} ${JSON.stringify(answer)}`)
  return new URL(answer.redirectTo)
}

/** A client of OAuth by hand, for attacks that no library makes. */
export interface HandClient {
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier: string
  /** Returns the address to open; parameters replace the usual ones, and null leaves one out. */
  authorizeUrl(changed?: Readonly<Record<string, string | null>>): URL
  /** Posts a form to the token endpoint, from this address where the service trusts the header of a proxy. */
  token(form: Readonly<Record<string, string>>, ip?: string): Promise<{ status: number; body: Record<string, string> }>
  /** Connects: consent and code. Returns the tokens. */
  connect(given: Given): Promise<{ access_token: string; refresh_token: string; scope: string }>
  /** Returns the form that exchanges a code. */
  codeForm(code: string): Record<string, string>
}

/** Registers a client. */
export async function registerClient(
  server: Pick<TestServer, 'baseUrl'>,
  redirectUri = 'https://ai.example.com/callback',
): Promise<HandClient> {
  const registered = await fetch(`${server.baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Hand', redirect_uris: [redirectUri] }),
  })
  const { client_id: clientId } = (await registered.json()) as { client_id: string }
  return handClient(server, clientId, redirectUri)
}

/** Returns a client whose id is the address of its document, which all organizations share. */
export function documentedClient(
  server: Pick<TestServer, 'baseUrl'>,
  files: FileServer,
  path: string,
  redirectUri = 'https://ai.example.com/callback',
): HandClient {
  const id = `${files.address}${path}`
  const document = JSON.stringify({ client_id: id, client_name: 'Documented', redirect_uris: [redirectUri] })
  files.serve(path, Buffer.from(document), { 'content-type': 'application/json' })
  return handClient(server, id, redirectUri)
}

function handClient(server: Pick<TestServer, 'baseUrl'>, clientId: string, redirectUri: string): HandClient {
  const verifier = randomBytes(32).toString('base64url')
  const client: HandClient = {
    clientId,
    redirectUri,
    verifier,
    authorizeUrl(changed = {}) {
      const url = new URL(`${server.baseUrl}/oauth/authorize`)
      const usual = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        state: 'abc',
      }
      for (const [name, value] of Object.entries({ ...usual, ...changed })) {
        if (value !== null) url.searchParams.set(name, value)
      }
      return url
    },
    async token(form, ip) {
      const response = await fetch(`${server.baseUrl}/oauth/token`, {
        method: 'POST',
        headers: ip === undefined ? {} : { 'x-forwarded-for': ip },
        body: new URLSearchParams(form),
      })
      return { status: response.status, body: (await response.json()) as Record<string, string> }
    },
    codeForm: (code) => ({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    }),
    async connect(given) {
      const back = await consent(server, client.authorizeUrl({ scope: (given.scopes ?? ['read']).join(' ') }), given)
      const { status, body } = await client.token(client.codeForm(back.searchParams.get('code') ?? ''))
      if (status !== 200) throw new Error(`the token endpoint responded ${status} ${JSON.stringify(body)}`)
      return body as { access_token: string; refresh_token: string; scope: string }
    },
  }
  return client
}
