import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { columns, withHeld } from './columns.ts'

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
  const held = response.sessions.filter(({ queueHeld }) => queueHeld)
  const { print, host } = context
  // Scripts count on the columns; the notes on stderr are for them too.
  const marksHeld = held.length > 0 && print.format === 'table' && host.stdout.isTTY === true
  await print.list(response.sessions, marksHeld ? withHeld : columns)
  for (const { label } of held) {
    context.note(`The queue of "${label}" is held. Send or discard it with: msgctl numbers release "${label}"`)
  }
  context.note(
    response.sessions.length === 0
      ? 'There are no numbers. Add one with: msgctl numbers add LABEL'
      : allowanceNote(response),
  )
}

/** `numbers list`. */
export const listVerb = verb('list', 'list the numbers', list, [
  'msgctl numbers list',
  'msgctl numbers list --json --fields id,status',
])
