import type { MessagingClient } from '@msgctl/client'
import { resolveId } from '../../input/id-prefix.ts'

/** How far the clock that made an id may differ from the one that dated the message. */
const clockToleranceMs = 60_000

/** Returns the times at which an id that begins like this was made: it begins with its time in milliseconds. */
function madeAt(beginning: string): { readonly since: Date; readonly until: Date } {
  const digits = beginning.replaceAll('-', '').slice(0, 12)
  const at = (fill: string) => Number.parseInt(digits.padEnd(12, fill), 16)
  return { since: new Date(at('0') - clockToleranceMs), until: new Date(at('f') + clockToleranceMs) }
}

/** Yields the messages of that time; without a match, the latest, because a simulated clock may have been moved. */
async function* candidates(client: MessagingClient, beginning: string, signal: AbortSignal) {
  let isFound = false
  for await (const message of client.messages.list.all({ limit: 100, ...madeAt(beginning) }, { signal })) {
    isFound ||= message.id.startsWith(beginning)
    yield message
  }
  if (!isFound) yield* client.messages.list.all({ limit: 100 }, { signal })
}

/** Resolves a message by id, or by the beginning of its id. Throws a CliError when none or several match. */
export function resolveMessageId(client: MessagingClient, reference: string, signal: AbortSignal): Promise<string> {
  return resolveId(reference, {
    list: () => candidates(client, reference.toLowerCase(), signal),
    plural: 'messages',
    command: 'msgctl messages list',
    code: 'MESSAGE_NOT_FOUND',
  })
}
