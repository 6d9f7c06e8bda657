import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { credentialOf } from '../../http/connect.ts'
import { type Allowance, allowanceIn } from '../../http/rate-limit.ts'
import { startTimeLimit } from '../../http/time-limit.ts'
import { nodeTransport } from '../../http/transport.ts'
import type { Column } from '../../output/columns.ts'
import { examples, type Run } from '../../program.ts'

const columns: readonly Column[] = [
  { field: 'changes.remaining', title: 'Changes left now' },
  { field: 'changes.limit', title: 'Changes a window' },
  { field: 'changes.windowSeconds', title: 'Window in seconds' },
  { field: 'changes.resetSeconds', title: 'All back in seconds' },
  { field: 'numbers.used', title: 'Numbers used' },
  { field: 'numbers.max', title: 'Numbers allowed', show: (value) => (value === null ? 'no limit' : String(value)) },
  { field: 'products', title: 'Products' },
  { field: 'features', title: 'Features' },
]

/**
 * What is left of the limit on changes. Only answers to changes tell it, so an empty send is made: the service counts it
 * as one change and refuses it for want of a recipient. Null when the service says nothing.
 */
async function changesLeft({ target, world, timeoutMs }: Context): Promise<Allowance | null> {
  const credential = credentialOf(target, world.now())
  const transport = nodeTransport({ origin: new URL(target.baseUrl).origin, anonymous: false })
  const authentication: Record<string, string> =
    'apiKey' in credential ? { 'x-api-key': credential.apiKey } : { authorization: `Bearer ${credential.token}` }
  const limit = startTimeLimit(timeoutMs, world.signal)
  try {
    const answer = await transport(`${target.baseUrl}/alert/send`, {
      method: 'POST',
      headers: { ...authentication, 'content-type': 'application/json' },
      body: '{}',
      redirect: 'manual',
      signal: limit.signal,
    })
    return allowanceIn(answer.headers)
  } finally {
    limit.end()
  }
}

/** The key of one number may ask nothing about the account. */
async function accountLimits(context: Context) {
  const client = await context.client()
  const options = { signal: context.world.signal }
  if (context.target.credentials.apiKey?.startsWith('msn_')) {
    // A read that such a key may make, so that a wrong one is reported in the same words as everywhere.
    await client.numbers.status({}, options)
    return { numbers: null, products: null, features: null }
  }
  const [{ products, features, maxNumbers }, { usedSessions, allowance }] = await Promise.all([
    client.account.me({}, options),
    client.numbers.list({}, options),
  ])
  return { numbers: { used: usedSessions, max: maxNumbers, extra: allowance.extra }, products, features }
}

async function limits(context: Context): Promise<void> {
  const account = await accountLimits(context)
  const changes = context.options.dryRun ? null : await changesLeft(context)
  await context.print.record({ changes, ...account }, columns)
}

export function register(command: Command, run: Run): void {
  examples(command, 'msgctl limits', 'msgctl limits --json --fields changes')
    .addHelpText('after', '\nAsking for the changes that are left costs one of them; --dry-run leaves them out.')
    .action(run(limits))
}
