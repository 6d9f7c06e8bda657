import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { isApiError } from '../../errors/format-error.ts'
import { verb } from '../../program.ts'
import { findNumber } from './reference.ts'

interface ReleaseOptions {
  readonly send?: true
  readonly discard?: true
}

/**
 * Returns how many messages are held and from when the oldest is, for a sentence: `21 messages, the oldest of ...`.
 * Returns null where this key may not read the history.
 */
async function describeHeld(context: Context, client: MessagingClient, containerId: string): Promise<string | null> {
  const { signal } = context.host
  const query = { containerId, status: 'queued', limit: 1 } as const
  try {
    const { total, totalIsExact } = await client.messages.list(query, { signal })
    if (total === 0) return 'no message'
    if (totalIsExact === false) return `more than ${total} messages`
    const [oldest] = (await client.messages.list({ ...query, page: total }, { signal })).messages
    const age = oldest ? `, the oldest of ${context.print.times.absolute(oldest.createdAt)}` : ''
    return `${total === 1 ? '1 message' : `${total} messages`}${age}`
  } catch (error) {
    if (isApiError(error) && error.status === 403) return null
    throw error
  }
}

async function release(context: Context, number: string, options: ReleaseOptions): Promise<void> {
  if (options.send && options.discard) throw usageFailure('--send and --discard exclude each other.')
  const client = await context.client()
  const { id: containerId, label, queueHeld } = await findNumber(client, number)
  const held = queueHeld ? await describeHeld(context, client, containerId) : null
  const what = held === null ? 'held messages' : `held messages (${held})`
  if (!options.send && !options.discard) {
    if (!queueHeld) throw usageFailure(`"${label}" holds no messages.`, 'msgctl numbers list marks a held queue.')
    throw usageFailure(`"${label}" has ${what}.`, 'Select what to do with them: --send or --discard.')
  }
  const action = options.send ? 'send' : 'discard'
  if (action === 'send') await context.confirm(`Send the ${what} of "${label}"?`)
  else await context.confirmTyped(`Discard the ${what} of "${label}" for good?`, label)
  const { messages } = await client.numbers.release({ containerId, action })
  await context.print.record({ containerId, action, messages }, [{ field: 'messages', title: 'Messages' }])
}

/** `numbers release`. */
export const releaseVerb = verb(
  'release <number>',
  'send or discard the messages of a held queue',
  release,
  [
    'msgctl numbers release support',
    'msgctl numbers release support --send',
    'msgctl numbers release support --discard --yes',
  ],
  (command) =>
    command.option('--send', 'send them from the number as it is linked now').option('--discard', 'discard them'),
)
