import type { MessagingClient } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { columns } from './columns.ts'

function allowanceNote({
  usedSessions,
  maxSessions,
  canCreate,
}: Awaited<ReturnType<MessagingClient['numbers']['list']>>) {
  const used = maxSessions === null ? `${usedSessions} used, no limit` : `${usedSessions} of ${maxSessions} used`
  return canCreate ? used : `${used}; the limit is reached`
}

async function list(context: Context): Promise<void> {
  const client = await context.client()
  const response = await client.numbers.list()
  await context.print.list(response.sessions, columns)
  context.note(
    response.sessions.length === 0
      ? 'There are no numbers. Add one with: msgctl numbers add LABEL'
      : allowanceNote(response),
  )
}

/** Adds `numbers list`. */
export function registerList(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'list',
    'list the numbers',
    'msgctl numbers list',
    'msgctl numbers list --json --fields id,status',
  ).action(run(list))
}
