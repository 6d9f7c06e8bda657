import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { columns } from './columns.ts'

async function add(context: Context, label: string): Promise<void> {
  const { session } = await context.asUser((client) => client.numbers.create({ label }))
  await context.print.record(session, columns)
  context.note(`Link it to a phone with: msgctl numbers link ${session.id}`)
}

/** `numbers add`. */
export const addVerb = verb('add <label>', 'add a number (requires a signed-in user)', add, [
  'msgctl numbers add support',
])
