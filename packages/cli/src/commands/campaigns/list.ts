import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
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

/** `campaigns list`. */
export const listVerb = verb('list', 'list campaigns, newest first', list, ['msgctl campaigns list'])
