import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { columns } from './columns.ts'

async function add(context: Context, label: string): Promise<void> {
  const { session } = await context.asUser((client) => client.numbers.create({ label }))
  await context.print.record(session, columns)
  context.note(`Link it to a phone with: msgctl numbers link ${session.id}`)
}

/** Adds `numbers add`. */
export function registerAdd(numbers: Command, run: Run): void {
  addVerb(numbers, 'add <label>', 'add a number (requires a signed-in user)', 'msgctl numbers add support').action(
    run(add),
  )
}
