import type { MessagingClient } from '@msgctl/client'
import { isId, requireOne } from '../../input/id-prefix.ts'

const shortestPrefix = 4

interface Named {
  readonly id: string
  readonly label: string
  readonly phoneNumber: string | null
}

function matches({ id, label, phoneNumber }: Named, reference: string): boolean {
  const digits = reference.replace(/[\s().+-]/g, '')
  return (
    label.toLowerCase() === reference.toLowerCase() ||
    (phoneNumber !== null && phoneNumber === digits) ||
    (reference.length >= shortestPrefix && id.startsWith(reference.toLowerCase()))
  )
}

/** Returns the number that matches `reference`. Throws a CliError when none or several match. */
export function pickNumber<T extends Named>(numbers: readonly T[], reference: string): T {
  const found = numbers.filter((number) => matches(number, reference))
  return requireOne(found, reference, { one: 'Number', plural: 'numbers' })
}

/**
 * Resolves a number to its containerId, by id, beginning of the id, label or phone number. Queries the service unless
 * the reference is a complete id.
 */
export async function resolveContainerId(client: MessagingClient, reference: string): Promise<string> {
  if (isId(reference)) return reference.toLowerCase()
  const { sessions } = await client.numbers.list()
  return pickNumber(sessions, reference).id
}

/** Returns a number like {@link pickNumber}, by its complete id as well. */
export async function findNumber(client: MessagingClient, reference: string) {
  const { sessions } = await client.numbers.list()
  return pickNumber(sessions, reference)
}

/** Resolves a list of references, in order, with at most one query. */
export async function resolveContainerIds(client: MessagingClient, references: readonly string[]): Promise<string[]> {
  if (references.every((reference) => isId(reference))) return references.map((id) => id.toLowerCase())
  const { sessions } = await client.numbers.list()
  return references.map((reference) => (isId(reference) ? reference.toLowerCase() : pickNumber(sessions, reference).id))
}

/**
 * Resolves an optional reference, with the words that name the number in a question: its label and its phone. Without
 * one it is the default number.
 */
export async function namedNumber(
  client: MessagingClient,
  reference: string | undefined,
): Promise<{ readonly chosen: { containerId?: string }; readonly name: string }> {
  const { sessions } = await client.numbers.list()
  const found = reference === undefined ? sessions.find(({ isDefault }) => isDefault) : pickNumber(sessions, reference)
  // The service reports that there is none.
  if (found === undefined) return { chosen: {}, name: 'the default number' }
  const phone = found.phoneNumber === null ? '' : ` (+${found.phoneNumber})`
  return { chosen: { containerId: found.id }, name: `"${found.label}"${phone}` }
}

/** Resolves an optional reference; without one the service selects the number. */
export async function optionalContainerId(
  client: MessagingClient,
  reference: string | undefined,
): Promise<{ containerId?: string }> {
  return reference === undefined ? {} : { containerId: await resolveContainerId(client, reference) }
}
