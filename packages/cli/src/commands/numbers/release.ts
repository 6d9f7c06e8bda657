import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { addVerb, type Run } from '../../program.ts'
import { findNumber } from './reference.ts'

interface ReleaseOptions {
  readonly send?: true
  readonly discard?: true
}

async function release(context: Context, number: string, options: ReleaseOptions): Promise<void> {
  if ((options.send === true) === (options.discard === true)) {
    throw usageFailure('Select what to do with the held messages: --send or --discard.')
  }
  const action = options.send ? 'send' : 'discard'
  const client = await context.client()
  const { id: containerId, label } = await findNumber(client, number)
  if (action === 'send') await context.confirm(`Send the held messages of "${label}"?`)
  else await context.confirmTyped(`Discard the held messages of "${label}" for good?`, label)
  const { messages } = await client.numbers.release({ containerId, action })
  await context.print.record({ containerId, action, messages }, [{ field: 'messages', title: 'Messages' }])
}

/** Adds `numbers release`. */
export function registerRelease(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'release <number>',
    'send or discard messages held after another phone was linked',
    'msgctl numbers release support --send',
    'msgctl numbers release support --discard --yes',
  )
    .option('--send', 'send them from the new phone')
    .option('--discard', 'discard them')
    .action(run(release))
}
