import { usageFailure } from '../errors/exit-codes.ts'

type Fields = Record<string, unknown>

const deepest = 8
const unsafeNames = new Set(['__proto__', 'constructor', 'prototype'])

function parse(pair: string): { readonly path: string[]; readonly value: string } {
  const at = pair.indexOf('=')
  const path = pair.slice(0, at).split('.')
  const usable = at > 0 && path.length <= deepest && path.every((name) => !unsafeNames.has(name))
  if (usable && /^[\w-]+(\.[\w-]+)*(\[\])?$/.test(path.join('.'))) {
    return { path, value: pair.slice(at + 1) }
  }
  throw usageFailure(`${pair} is not a valid field.`, 'Use name=value, list[]=value or outer.inner=value.')
}

/** Parses booleans, null, numbers, and JSON lists and objects; anything else stays text. */
function typed(text: string): unknown {
  if (!/^(true|false|null|-?\d|[[{])/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function contradiction(pair: string): Error {
  return usageFailure(`${pair} contradicts another field.`)
}

/** Returns `there` with one more entry, or a new list. */
function withEntry(there: unknown, value: unknown, pair: string): unknown[] {
  if (there === undefined) return [value]
  if (Array.isArray(there)) return [...there, value]
  throw contradiction(pair)
}

/** Returns the object under `key`, and creates it if missing. */
function getOrCreateObject(fields: Fields, key: string, pair: string): Fields {
  const there = fields[key] ?? {}
  if (!isFields(there)) throw contradiction(pair)
  fields[key] = there
  return there
}

function put(fields: Fields, path: readonly string[], value: unknown, pair: string): void {
  const last = path.at(-1) ?? ''
  let target = fields
  for (const name of path.slice(0, -1)) target = getOrCreateObject(target, name, pair)
  if (last.endsWith('[]')) target[last.slice(0, -2)] = withEntry(target[last.slice(0, -2)], value, pair)
  else target[last] = value
}

/** Builds an object from `name=value` pairs. `texts` stay text; `values` may be numbers, booleans, null or JSON. */
export function parseFields(texts: readonly string[], values: readonly string[]): Fields {
  const fields: Fields = {}
  for (const pair of texts) {
    const { path, value } = parse(pair)
    put(fields, path, value, pair)
  }
  for (const pair of values) {
    const { path, value } = parse(pair)
    put(fields, path, typed(value), pair)
  }
  return fields
}
