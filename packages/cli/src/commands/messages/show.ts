import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import { messageColumns } from './columns.ts'

const stepColumns: readonly Column[] = [
  { field: 'at', title: 'When' },
  { field: 'step', title: 'Step' },
  { field: 'detail', title: 'Detail' },
]

const heldColumns: readonly Column[] = [
  { field: 'held.until', title: 'Held until' },
  { field: 'held.message', title: 'Held because' },
]

async function show(context: Context, id: string): Promise<void> {
  const client = await context.client()
  const { message, timeline } = await client.messages.get({ id })
  const { print } = context
  if (print.format !== 'table') return print.record({ ...message, timeline }, messageColumns)
  await print.record(message, message.held ? [...messageColumns, ...heldColumns] : messageColumns)
  if (context.options.fields !== undefined) return
  await print.text('\n')
  await print.list(timeline, stepColumns)
}

/** Adds `messages show`. */
export function registerShow(messages: Command, run: Run): void {
  addVerb(
    messages,
    'show <id>',
    'show one message and its history',
    'msgctl messages show 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl messages show 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --json --fields status,timeline',
  ).action(run(show))
}
