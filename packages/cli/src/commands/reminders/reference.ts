import type { MessagingClient } from '@msgctl/client'
import { resolveId } from '../../input/id-prefix.ts'

type Reminder = Awaited<ReturnType<MessagingClient['reminders']['list']>>['reminders'][number]

/** Returns the reminder with this id, or undefined. The API has only the list of all. */
export async function findReminder(
  client: MessagingClient,
  id: string,
  signal: AbortSignal,
): Promise<Reminder | undefined> {
  for await (const reminder of client.reminders.list.all({ limit: 100 }, { signal })) {
    if (reminder.id === id) return reminder
  }
  return undefined
}

/** Resolves a reminder by id, or by the beginning of its id. Throws a CliError when none or several match. */
export function resolveReminderId(client: MessagingClient, reference: string, signal: AbortSignal): Promise<string> {
  return resolveId(reference, {
    list: () => client.reminders.list.all({ limit: 100 }, { signal }),
    plural: 'reminders',
    command: 'msgctl reminders list',
  })
}
