import type { MessagingClient } from '@msgctl/client'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { take } from '../../output/paging.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The shortest beginning of an id: earlier, it says only in which minute a message was made. */
const shortestPrefix = 8
/** How many of the newest messages are searched for a beginning of an id. */
const searched = 1000

/** Resolves a message by id, or by the beginning of the id of a recent one. Throws a CliError when none or several match. */
export async function resolveMessageId(
  client: MessagingClient,
  reference: string,
  signal: AbortSignal,
): Promise<string> {
  const typed = reference.toLowerCase()
  if (uuid.test(typed)) return typed
  // The service reports what cannot be an id.
  if (!/^[0-9a-f-]+$/.test(typed) || typed.length < shortestPrefix) return reference
  const found: string[] = []
  for await (const { id } of take(client.messages.list.all({ limit: 100 }, { signal }), searched)) {
    if (id.startsWith(typed)) found.push(id)
  }
  const [first, ...others] = found
  if (first === undefined) {
    throw new CliError(`None of the newest ${searched} messages begins with ${reference}.`, {
      code: 'MESSAGE_NOT_FOUND',
      exitCode: exitCodes.notFound,
      advice: 'Use the complete id; msgctl messages list --json shows it.',
    })
  }
  if (others.length === 0) return first
  throw usageFailure(`Several messages begin with ${reference}: ${found.slice(0, 5).join(', ')}.`, 'Use a longer part.')
}
