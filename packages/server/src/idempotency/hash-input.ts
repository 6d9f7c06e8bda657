import { createHash } from 'node:crypto'
import { yielding } from '../concurrency/yielding.ts'

/** Returns the SHA-256 of an input, whatever the order of its fields. */
export function hashInput(input: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(input, sortedFields)).digest()
}

/** Returns what {@link hashInput} does. Other requests run between the entries of the lists in the body's own fields. */
export async function hashBulkInput(input: { readonly body?: unknown }): Promise<Buffer> {
  const hash = createHash('sha256')
  const pause = yielding()
  await writeObject(input, (body) => writeObject(body, writeList))
  return hash.digest()

  async function writeObject(value: unknown, writeField: (inner: unknown) => Promise<void>): Promise<void> {
    if (!isRecord(value)) return write(value)
    const fields = Object.entries(sortedFields('', value) as object).filter(([, inner]) => inner !== undefined)
    hash.update('{')
    for (const [n, [name, inner]] of fields.entries()) {
      hash.update(`${n === 0 ? '' : ','}${JSON.stringify(name)}:`)
      await writeField(inner)
    }
    hash.update('}')
  }

  async function writeList(value: unknown): Promise<void> {
    if (!Array.isArray(value)) return write(value)
    hash.update('[')
    for (const [n, entry] of value.entries()) {
      if (n > 0) hash.update(',')
      write(entry)
      await pause()
    }
    hash.update(']')
  }

  function write(value: unknown): void {
    hash.update(JSON.stringify(value, sortedFields) ?? 'null')
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sortedFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
