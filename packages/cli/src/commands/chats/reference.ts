import type { MessagingClient } from '@msgctl/client'
import { limits } from '@msgctl/contract/limits'
import { listedBy, resolveId } from '../../input/id-prefix.ts'

/** Resolves a received message by its id, or an unread one by the beginning of it. Throws a CliError for no match. */
export function resolveReceivedId(client: MessagingClient, reference: string, signal: AbortSignal): Promise<string> {
  return resolveId(reference, {
    list: () => listedBy(async () => (await client.chats.unread({ limit: limits.unread.max }, { signal })).messages),
    plural: 'unread messages',
    command: 'msgctl chats unread',
  })
}
