import type { MessagingClient } from '@msgctl/client'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
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

/** The one number that `reference` means, out of `numbers`. Throws a CliError for none or several. */
export function pickNumber<T extends Named>(numbers: readonly T[], reference: string): T {
  const [found, ...others] = numbers.filter((number) => matches(number, reference))
  if (found === undefined) {
    throw new CliError(`There is no number ${reference}.`, {
      code: 'NOT_FOUND',
      exitCode: exitCodes.notFound,
      advice: 'msgctl numbers list shows the numbers there are.',
    })
  }
  if (others.length === 0) return found
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw usageFailure(`${reference} means several numbers: ${ids}.`, 'Give the id of one of them.')
}

/**
 * The containerId that a person means: the id itself, the beginning of one, a label, or the phone number.
 * Asks the service for its numbers unless it is a whole id.
 */
export async function resolveContainerId(client: MessagingClient, reference: string): Promise<string> {
  if (uuid.test(reference)) return reference.toLowerCase()
  const { sessions } = await client.numbers.list()
  return pickNumber(sessions, reference).id
}

/** The containerIds that a list of references means, in its order. Asks the service at most once. */
export async function resolveContainerIds(client: MessagingClient, references: readonly string[]): Promise<string[]> {
  if (references.every((reference) => uuid.test(reference))) return references.map((id) => id.toLowerCase())
  const { sessions } = await client.numbers.list()
  return references.map((reference) =>
    uuid.test(reference) ? reference.toLowerCase() : pickNumber(sessions, reference).id,
  )
}

/** The same where no number may be given: then it is left to the service. */
export async function optionalContainerId(
  client: MessagingClient,
  reference: string | undefined,
): Promise<{ containerId?: string }> {
  return reference === undefined ? {} : { containerId: await resolveContainerId(client, reference) }
}
