/** What a form holds: texts, lists and objects of them. */
export type FormValue = string | FormValue[] | { readonly [name: string]: FormValue }

interface FormObject {
  [name: string]: FormValue
}

/** Reads the body of a request as Stripe's library encodes it: `items[0][price]=...`. */
export function readForm(text: string): FormObject {
  const root = new Map<string, unknown>()
  for (const [key, value] of new URLSearchParams(text)) put(root, pathOf(key), value)
  const read = plain(root)
  return typeof read === 'object' && !Array.isArray(read) ? (read as FormObject) : {}
}

function pathOf(key: string): string[] {
  const [first = '', ...rest] = key.split('[')
  return [first, ...rest.map((part) => part.replace(']', ''))]
}

function put(map: Map<string, unknown>, [name = '', ...rest]: readonly string[], value: string): void {
  const key = name === '' ? String(map.size) : name
  if (rest.length === 0) {
    map.set(key, value)
    return
  }
  const inner = map.get(key)
  const next = inner instanceof Map ? inner : new Map<string, unknown>()
  map.set(key, next)
  put(next, rest, value)
}

function plain(value: unknown): FormValue {
  if (!(value instanceof Map)) return String(value)
  const entries = [...value].map(([name, inner]) => [name, plain(inner)] as const)
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index))
  if (isList) return entries.map(([, inner]) => inner)
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as FormObject
}

/** Returns a text of a form; undefined when it is not there or no text. */
export function textOf(form: FormValue | undefined, ...path: readonly string[]): string | undefined {
  const found = valueAt(form, ...path)
  return typeof found === 'string' ? found : undefined
}

/** Returns what stands at a place of a form. */
export function valueAt(form: FormValue | undefined, ...path: readonly string[]): FormValue | undefined {
  return path.reduce<FormValue | undefined>((inner, name) => {
    if (typeof inner !== 'object' || Array.isArray(inner)) return undefined
    return Object.hasOwn(inner, name) ? inner[name] : undefined
  }, form)
}

/** Returns a list of a form, as texts or objects. */
export function listAt(form: FormValue | undefined, ...path: readonly string[]): readonly FormValue[] {
  const found = valueAt(form, ...path)
  return Array.isArray(found) ? found : []
}

/** Returns an object of texts, such as metadata. */
export function textsAt(form: FormValue | undefined, ...path: readonly string[]): Record<string, string> {
  const found = valueAt(form, ...path)
  if (typeof found !== 'object' || Array.isArray(found)) return {}
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
