import { type Access, type Product, type Unlock, unlockedBy } from '../access.ts'
import { limits } from '../model/limits.ts'
import type { Route } from '../route.ts'

const or = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(words)

/** Products as people write them: `Notify, Developer, or Connect`. */
export function formatProducts(names: readonly Product[]): string {
  return or(names.map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}`))
}

function gateSentence({ feature }: Access): string {
  if (feature === undefined) return 'Open to every organization.'
  const { anyOf, apiKeyAlsoRequires }: Unlock = unlockedBy[feature]
  const forKeys = apiKeyAlsoRequires ? `, and for an API key also ${formatProducts(apiKeyAlsoRequires)}` : ''
  return `Feature ${feature}: needs ${formatProducts(anyOf)}${forKeys}.`
}

const keySentences = {
  any: "Takes an account key, a signed-in user or a number's own key.",
  account: "Takes an account key or a signed-in user, not a number's own key.",
  none: 'Takes a signed-in user only, no API key.',
  public: 'Needs no credentials.',
} as const satisfies Record<Access['keys'], string>

function roleSentence({ roles, keys }: Access): string | undefined {
  if (!roles) return undefined
  const asAdmin = keys !== 'none' && roles.includes('admin') ? '; an account key acts as an admin' : ''
  return `Only for the role ${or(roles)}${asAdmin}.`
}

/** Whether calls of the route count towards the organization's changes a minute. */
export function countsAsChange({ access, endpoint }: Route): boolean {
  return access.keys !== 'public' && !endpoint.startsWith('GET ')
}

function bodySizeOf({ access, bulk }: Route): string {
  if (access.keys === 'public') return `${limits.publicBodyBytes / 1024} KiB`
  return `${(bulk ? limits.bulkBodyBytes : limits.bodyBytes) / 1024 ** 2} MiB`
}

function limitSentence(route: Route): string | undefined {
  const sentences = []
  if (countsAsChange(route)) {
    sentences.push(`Counts towards the organization's ${limits.changesPerMinute} changes a minute.`)
  }
  if (route.body) {
    sentences.push(`The body is at most ${bodySizeOf(route)}.`)
  }
  return sentences.join(' ') || undefined
}

const sendSentences = {
  queued: 'Messages are queued and leave later.',
  direct: 'Calls the network before it answers; see details.outcome on a 5xx.',
} as const

/** What the reference says about a route beyond its summary: gate, keys, roles, limits and how it may be repeated. */
export function describeRoute(route: Route): string {
  const sentences = [
    route.access.keys === 'public' ? undefined : gateSentence(route.access),
    keySentences[route.access.keys],
    roleSentence(route.access),
    limitSentence(route),
    route.sends && sendSentences[route.sends],
    route.idempotent && 'Safe to repeat with the same Idempotency-Key.',
    route.secret && 'The answer holds a secret and is never cached.',
    route.stream && 'The answer is a stream of server-sent events; the schema shows the data of one.',
  ]
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ')
}
