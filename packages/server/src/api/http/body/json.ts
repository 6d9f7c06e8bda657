import { yielding } from '#platform/concurrency/yielding.ts'
import { apiError } from '#platform/errors.ts'
import type { ListSpan, Scan } from './scan.ts'

/**
 * Parses a body that has been scanned, and drops every `__proto__`. Its long lists are parsed in parts, and other
 * requests run in between. Throws INVALID_JSON.
 */
export async function parseScanned(bytes: Buffer, { lists, closed }: Scan): Promise<unknown> {
  if (!closed()) throw notJson()
  if (lists.length === 0) return parse(bytes)
  const frame = parse(withoutEntries(bytes, lists))
  const pause = yielding()
  for (const [field, value] of Object.entries(frame as Record<string, unknown>)) {
    // The lists of the body's own fields hold a single number now: which list it was.
    const list = Array.isArray(value) ? lists[value[0]] : undefined
    if (list) Reflect.set(frame as object, field, await parseList(bytes, list, pause))
  }
  return frame
}

function withoutEntries(bytes: Buffer, lists: readonly ListSpan[]): Buffer {
  const kept: Uint8Array[] = []
  let from = 0
  for (const [n, { start, end }] of lists.entries()) {
    kept.push(bytes.subarray(from, start), Buffer.from(String(n)))
    from = end
  }
  return Buffer.concat([...kept, bytes.subarray(from)])
}

async function parseList(bytes: Buffer, { start, end, cuts }: ListSpan, pause: () => Promise<void>) {
  const entries: unknown[] = []
  const starts = [start, ...cuts.map((cut) => cut + 1)]
  for (const [n, from] of starts.entries()) {
    const part = parsePart(bytes.subarray(from, cuts[n] ?? end))
    // Nothing between two commas; only a list may be empty.
    if (part.length === 0 && cuts.length > 0) throw notJson()
    for (const entry of part) entries.push(entry)
    await pause()
  }
  return entries
}

const opening = Buffer.from('[')
const closing = Buffer.from(']')

function parsePart(bytes: Buffer): unknown[] {
  return parse(Buffer.concat([opening, bytes, closing])) as unknown[]
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer): unknown {
  try {
    const text = utf8.decode(bytes)
    const value: unknown = JSON.parse(text)
    // An escape can spell any letter of the name.
    return text.includes('__proto__') || text.includes('\\u') ? withoutPrototypes(value) : value
  } catch {
    throw notJson()
  }
}

function notJson(): Error {
  return apiError('INVALID_JSON', 'The body is not valid JSON.')
}

/** Drops every own `__proto__`. The scan has bounded the depth. */
function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  for (const inner of Object.values(value)) withoutPrototypes(inner)
  return value
}
