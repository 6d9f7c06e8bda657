import type { MessagingClient } from '@msgctl/client'
import { resolveId } from '../../input/id-prefix.ts'

/** Resolves a reminder by id, or by the beginning of its id. Throws a CliError when none or several match. */
export function resolveReminderId(client: MessagingClient, reference: string, signal: AbortSignal): Promise<string> {
  return resolveId(reference, {
    list: () => client.reminders.list.all({ limit: 100 }, { signal }),
    plural: 'reminders',
    command: 'msgctl reminders list',
  })
}
