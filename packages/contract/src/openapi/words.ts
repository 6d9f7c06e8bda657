import { type Access, type Product, type Unlock, unlockedBy } from '../access.ts'
import { limits } from '../model/limits.ts'
import type { Route } from '../route.ts'

const or = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(words)

/** Returns product names as a phrase: `Notify, Developer, or Connect`. */
export function formatProducts(names: readonly Product[]): string {
  return or(names.map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}`))
}

function gateSentence({ feature, product }: Access): string {
  if (feature === undefined) return 'Open to every organization.'
  if (product !== undefined) return `Feature ${feature}, and the product ${formatProducts([product])}.`
  const { anyOf, apiKeyAlsoRequires }: Unlock = unlockedBy[feature]
  const forKeys = apiKeyAlsoRequires ? `, and for an API key also ${formatProducts(apiKeyAlsoRequires)}` : ''
  return `Feature ${feature}: needs ${formatProducts(anyOf)}${forKeys}.`
}

const keySentences = {
  any: 'Accepts an account key, a signed-in user or a per-number key.',
  account: 'Accepts an account key or a signed-in user, but no per-number key.',
  none: 'Accepts a signed-in user only, no API key.',
  public: 'Needs no credentials.',
} as const satisfies Record<Access['keys'], string>

function roleSentence({ roles, keys }: Access): string | undefined {
  if (!roles) return undefined
  const asAdmin = keys !== 'none' && roles.includes('admin') ? '; an account key acts as an admin' : ''
  return `Requires the role ${or(roles)}${asAdmin}.`
}

/** Returns whether calls of the route count towards the organization's limit of changes per minute. */
export function countsAsChange({ access, endpoint }: Route): boolean {
  return access.keys !== 'public' && !endpoint.startsWith('GET ')
}

function formatBodySize({ access, bulk, upload }: Route): string {
  if (upload) return `${Math.ceil(limits.media.base64Characters / 1024 ** 2)} MiB`
  if (access.keys === 'public') return `${limits.publicBodyBytes / 1024} KiB`
  return `${(bulk ? limits.bulkBodyBytes : limits.bodyBytes) / 1024 ** 2} MiB`
}

function limitSentence(route: Route): string | undefined {
  const sentences = []
  if (countsAsChange(route)) {
    sentences.push(`Counts towards the organization's ${limits.changesPerMinute} changes per minute.`)
  }
  if (route.body) {
    sentences.push(`The body can have up to ${formatBodySize(route)}.`)
  }
  return sentences.join(' ') || undefined
}

const sendSentences = {
  queued: 'Messages are queued and sent later.',
  direct: 'Calls the network before it responds; on a 5xx, read details.outcome.',
} as const

/** Returns the access rules and limits of a route in words: products, keys, roles, limits and idempotency. */
export function describeRoute(route: Route): string {
  const sentences = [
    route.access.keys === 'public' ? undefined : gateSentence(route.access),
    keySentences[route.access.keys],
    roleSentence(route.access),
    limitSentence(route),
    route.sends && sendSentences[route.sends],
    route.idempotent && 'Safe to repeat with the same Idempotency-Key.',
    route.secret && 'The response holds a secret and is never cached.',
    route.upload &&
      'The file can also be the whole body, with its Content-Type, and `filename` and `mimetype` in the query.',
    route.download && 'The response is the file.',
    route.stream && 'The response is a stream of server-sent events; the schema describes the data of one event.',
  ]
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ')
}
