import { createHash, hash } from 'node:crypto'
import { yielding } from '#platform/concurrency/yielding.ts'

/** Returns the SHA-256 of an input, whatever the order of its fields. */
export function hashInput(input: unknown): Buffer {
  return hash('sha256', JSON.stringify(input, sortedFields), 'buffer')
}

/**
 * Returns what {@link hashInput} does. Other requests run between the entries of the lists in the body's own fields.
 */
export async function hashBulkInput(input: { readonly body?: unknown }): Promise<Buffer> {
  const sum = createHash('sha256')
  const pause = yielding()
  await writeObject(input, (body) => writeObject(body, writeList))
  return sum.digest()

  async function writeObject(value: unknown, writeField: (inner: unknown) => Promise<void>): Promise<void> {
    if (!isRecord(value)) return write(value)
    const fields = Object.entries(sortedFields('', value) as object).filter(([, inner]) => inner !== undefined)
    sum.update('{')
    for (const [n, [name, inner]] of fields.entries()) {
      sum.update(`${n === 0 ? '' : ','}${JSON.stringify(name)}:`)
      await writeField(inner)
    }
    sum.update('}')
  }

  async function writeList(value: unknown): Promise<void> {
    if (!Array.isArray(value)) return write(value)
    sum.update('[')
    for (const [n, entry] of value.entries()) {
      if (n > 0) sum.update(',')
      write(entry)
      await pause()
    }
    sum.update(']')
  }

  function write(value: unknown): void {
    sum.update(JSON.stringify(value, sortedFields) ?? 'null')
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sortedFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
