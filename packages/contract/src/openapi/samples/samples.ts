import { type Method, type Route, splitEndpoint } from '../../route.ts'
import { curlSample } from './curl.ts'
import { msgctlSample } from './msgctl.ts'
import { typescriptSample } from './typescript.ts'

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
