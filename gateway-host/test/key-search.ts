/** What is shorter is no key, and may be in an output by chance. */
const leastBytes = 16

/** Returns the byte strings in a value, also those that libraries keep as base64. */
export function bytesIn(value: unknown): Buffer[] {
  if (value instanceof Uint8Array)
    return value.length < leastBytes ? [] : [Buffer.from(value), ...nested(Buffer.from(value))]
  if (typeof value === 'string') {
    const bytes = /^[A-Za-z0-9+/]{22,}={0,2}$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0)
    return bytes.length < leastBytes ? [] : [bytes]
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(bytesIn) : []
}

/** Sessions are stored as JSON. */
function nested(bytes: Buffer): Buffer[] {
  if (bytes[0] !== 0x7b) return []
  try {
    return bytesIn(JSON.parse(bytes.toString()))
  } catch {
    return []
  }
}

/** The characters of a key that are searched for, in each form. */
const wholeBytes = Math.floor(leastBytes / 3) * 3
const base64Length = (wholeBytes / 3) * 4
const hexLength = wholeBytes * 2
const spacedLength = wholeBytes * 3 - 1

/**
 * Returns the search of an output for byte strings. It finds the beginning of each, as base64, hex or decimals, in the
 * ways in which programs write them.
 */
export function createKeySearch(output: string): (bytes: Buffer) => boolean {
  // The console breaks long lists into lines, and has commas and spaces between numbers.
  const joined = output.replaceAll(/,\s+/g, ',')
  const lower = joined.toLowerCase()
  const base64 = windowsOf(joined.replaceAll('-', '+').replaceAll('_', '/'), base64Length)
  const hex = windowsOf(lower, hexLength)
  const spaced = windowsOf(lower, spacedLength)
  const lists = joined.match(/\d{1,3}(?:,\d{1,3}){8,}/g) ?? []
  return (bytes) => {
    const part = bytes.subarray(0, wholeBytes)
    const digits = part.toString('hex')
    if (base64.has(part.toString('base64')) || hex.has(digits)) return true
    if (spaced.has(digits.replaceAll(/(..)(?=.)/g, '$1 '))) return true
    const decimals = `,${[...bytes.subarray(0, leastBytes)].join(',')},`
    return lists.some((list) => `,${list},`.includes(decimals))
  }
}

function windowsOf(text: string, length: number): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length)))
}
