import type { MessagingClient } from '@msgctl/client'
import { resolveId } from '../../input/id-prefix.ts'

/**
 * Resolves a message by id, or by the beginning of the id of a recent one. Throws a CliError when none or several
 * match.
 */
export function resolveMessageId(client: MessagingClient, reference: string, signal: AbortSignal): Promise<string> {
  return resolveId(reference, {
    list: () => client.messages.list.all({ limit: 100 }, { signal }),
    plural: 'messages',
    command: 'msgctl messages list',
    code: 'MESSAGE_NOT_FOUND',
  })
}
