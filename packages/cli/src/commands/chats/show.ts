import { limits } from '@msgctl/contract/limits'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import { buildQuery, type Limited, ofNumber } from './options.ts'

const threadColumns: readonly Column[] = [
  { field: 'at', title: 'When' },
  { field: 'direction', title: 'Direction' },
  { field: 'status', title: 'Status' },
  { field: 'type', title: 'Type' },
  { field: 'text', title: 'Text' },
]

async function show(context: Context, phone: string, options: Limited): Promise<void> {
  const { client, query } = await buildQuery(context, options, limits.thread.max)
  const { name, phone: person, messages } = await client.chats.thread({ phone, ...query })
  context.note(name === null ? person : `${name}, ${person}`)
  await context.print.list(messages, threadColumns)
}

/** Adds `chats show`. */
export function registerShow(chats: Command, run: Run): void {
  addVerb(
    chats,
    'show <phone>',
    'show one conversation, newest message last',
    'msgctl chats show +12025550100',
    'msgctl chats show 77123@lid --limit 10',
  )
    .option(
      '--limit <messages>',
      `maximum number of messages, up to ${limits.thread.max} (default: ${limits.thread.default})`,
    )
    .option(...ofNumber)
    .action(run(show))
}
