import { piped } from '../../examples/shell.ts'
import { type Method, type Route, splitEndpoint } from '../../route.ts'
import { typescriptSample } from './typescript.ts'

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function credentials({ route }: Sampled): string[] {
  if (route.access.keys === 'public') return []
  return route.access.keys === 'none' ? ['-H "Authorization: Bearer $MSG_TOKEN"'] : ['-H "X-API-Key: $MSG_API_KEY"']
}

/**
 * Returns the call as a line of curl, with the address and the key in the variables that the client and msgctl read.
 */
function curlSample(sampled: Sampled): string {
  const { method, path, query, body, route } = sampled
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`)
    .join('&')
  const address = `"$MSG_BASE_URL${path}${search && `?${search}`}"`
  const parts = [
    `curl ${route.stream ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}${address}`,
    ...credentials(sampled),
    ...(route.idempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body, null, 2))}`] : []),
  ]
  return parts.join(' \\\n  ')
}

/** Returns the call as a line of msgctl: its own command, or `msgctl api`, which reaches every route. */
function msgctlSample({ method, path, query, body, route }: Sampled): string {
  if (route.msgctl !== undefined) return route.msgctl
  const fields = Object.entries(query).map(([name, value]) => ` -f ${name}=${String(value)}`)
  const user = route.access.keys === 'none' ? ' --as-user' : ''
  const command = `msgctl api ${method} ${path}${fields.join('')}${user}`
  return body ? piped(JSON.stringify(body, null, 2), `${command} --input -`) : command
}

type Fields = Readonly<Record<string, unknown>>

/** An operation with its example, split as a request is. */
export interface Sampled {
  readonly resource: string
  readonly name: string
  readonly route: Route
  readonly method: Method
  /** With the parameters of the example filled in and encoded. */
  readonly path: string
  readonly query: Fields
  readonly body: Fields | undefined
  /** The flat input, as the client takes it; undefined without any. */
  readonly input: Fields | undefined
}

/** A program that makes one call. */
export interface CodeSample {
  readonly lang: 'Shell' | 'TypeScript'
  readonly label: 'curl' | 'TypeScript' | 'msgctl'
  readonly source: string
}

function pick(fields: Fields, schema: Route['body']): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => schema !== undefined && name in schema.shape))
}

function sampledOf(resource: string, name: string, route: Route): Sampled {
  const { method, path } = splitEndpoint(route.endpoint)
  const { input } = route.example
  const given = input ?? {}
  return {
    resource,
    name,
    route,
    method,
    path: path.replace(/:(\w+)/g, (_match, key: string) => encodeURIComponent(String(given[key] ?? key))),
    query: pick(given, route.query),
    body: route.body && input ? pick(given, route.body) : undefined,
    input,
  }
}

/** Returns the example call of an operation in curl, TypeScript and msgctl. */
export function codeSamples(resource: string, name: string, route: Route): CodeSample[] {
  const sampled = sampledOf(resource, name, route)
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(sampled) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescriptSample(sampled) },
    { lang: 'Shell', label: 'msgctl', source: msgctlSample(sampled) },
  ]
}
