import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { columns } from './options.ts'

async function list(context: Context): Promise<void> {
  const client = await context.client()
  const { campaigns } = await client.campaigns.list({}, { signal: context.host.signal })
  await context.print.list(
    campaigns.toReversed(),
    columns,
    'There are no campaigns. Create one with: msgctl campaigns create',
  )
}

/** Adds `campaigns list`. */
export function registerList(campaigns: Command, run: Run): void {
  addVerb(campaigns, 'list', 'list campaigns, newest first', 'msgctl campaigns list').action(run(list))
}
