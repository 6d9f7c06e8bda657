import { isIP } from 'node:net'
import type { PublicFetch } from '@msgctl/network/public-address/fetch'
import type { Services } from '#services.ts'
import { findKept, findRegistered, keepDocument, type OAuthClient } from './client-store.ts'
import { isLoopback } from './own-address.ts'
import { allowedRedirects } from './redirect-address.ts'

const longestId = 2000
const maxBytes = 16 * 1024
const deadlineMs = 5000
const keptSeconds = { least: 300, most: 86_400, failed: 60 }

/** What finding clients needs: documents of strangers are fetched through the guarded agent only. */
export interface ClientSource {
  readonly services: Pick<Services, 'db' | 'config'>
  readonly fetch: PublicFetch
}

/** Returns the client with this id, or null: one that registered, or one whose id is the address of its document. */
export async function findClient(source: ClientSource, id: string): Promise<OAuthClient | null> {
  if (id.length > longestId) return null
  if (!/^https?:/i.test(id)) return (await findRegistered(source.services.db, id)) ?? null
  const url = documentAddress(id, source)
  if (!url) return null
  const kept = await findKept(source.services.db, id)
  const client = kept ?? (await readDocument(source, id, url))
  return client.redirectUris.length > 0 ? client : null
}

/** Returns the address of a document, or null for a text that cannot be one. */
function documentAddress(id: string, { services }: ClientSource): URL | null {
  if (!URL.canParse(id)) return null
  const url = new URL(id)
  const isLocalTest = services.config.allowPrivateTargets.length > 0 && isLoopback(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocalTest)) return null
  if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0 && !isLocalTest) return null
  const isPlain =
    url.href === id && url.pathname !== '/' && url.hash === '' && url.username === '' && url.password === ''
  return isPlain ? url : null
}

async function readDocument({ services, fetch }: ClientSource, id: string, url: URL): Promise<OAuthClient> {
  const read = await fetchDocument(fetch, id).catch(() => null)
  const client: OAuthClient = read
    ? { id, name: clientName(read.document.client_name) ?? url.hostname, host: url.host, redirectUris: read.redirects }
    : { id, name: url.hostname, host: url.host, redirectUris: [] }
  return keepDocument(services.db, client, read ? read.keptSeconds : keptSeconds.failed)
}

async function fetchDocument(fetch: PublicFetch, id: string) {
  const headers = { accept: 'application/json' }
  const response = await fetch({ url: id, method: 'GET', headers, deadlineMs, maxBytes, maxRedirects: 0 })
  if (response.status !== 200) {
    await response.discard()
    return null
  }
  const chunks: Buffer[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  const document: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return null
  const { client_id: named, redirect_uris: addresses, client_name } = document as Record<string, unknown>
  if (named !== id || !Array.isArray(addresses)) return null
  const redirects = allowedRedirects(addresses.slice(0, 50))
  if (redirects.length === 0) return null
  return { document: { client_name }, redirects, keptSeconds: secondsToKeep(response.headers['cache-control']) }
}

function secondsToKeep(cacheControl: string | string[] | undefined): number {
  const age = Number(/(?:^|[\s,])max-age=(\d{1,9})/.exec(String(cacheControl ?? ''))?.[1] ?? 0)
  return Math.min(Math.max(age, keptSeconds.least), keptSeconds.most)
}

const longestName = 100

/** Returns the name of a client as a page may show it, in quotes; null for none. */
export function clientName(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}"“”„]+/gu, ' ').trim()
  return plain === '' ? null : Array.from(plain).slice(0, longestName).join('')
}
