import type { Command } from 'commander'
import { isNumberKey } from '../../config/target.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import type { Column } from '../../output/columns.ts'
import { examples, type Run } from '../../program.ts'

const orNoLimit = (value: unknown) => (value === null || value === undefined ? 'no limit' : String(value))

const columns: readonly Column[] = [
  { field: 'changes.remaining', title: 'Changes left', show: orNoLimit },
  { field: 'changes.limitPerMinute', title: 'Changes per minute', show: orNoLimit },
  { field: 'changes.resetsAt', title: 'Limit resets at' },
  { field: 'texts.perNumberPerMinute', title: 'Texts per minute and number' },
  { field: 'campaigns.perNumberPerMinute', title: 'Campaign messages per minute and number' },
  { field: 'numbers.used', title: 'Numbers used' },
  { field: 'numbers.max', title: 'Numbers allowed', show: orNoLimit },
  { field: 'products', title: 'Products' },
  { field: 'features', title: 'Features' },
]

const trialColumns: readonly Column[] = [
  { field: 'trial.used', title: 'Trial messages used' },
  { field: 'trial.limit', title: 'Trial messages per day' },
  { field: 'trial.endsAt', title: 'Trial ends' },
]

/** Throws for the key of a number, because all limits belong to the organization. */
export function requireAccountCredential({ target }: Context): void {
  if (!isNumberKey(target.credentials.apiKey)) return
  throw new CliError('The key of a number cannot read the limits: they belong to the organization.', {
    code: 'NUMBER_KEY_SCOPE',
    exitCode: exitCodes.forbidden,
    advice: 'Use the account key, or sign in with msgctl login --email you@example.com.',
  })
}

async function limits(context: Context): Promise<void> {
  requireAccountCredential(context)
  const client = await context.client()
  const options = { signal: context.host.signal }
  const [{ success: _always, ...left }, { products, features, maxNumbers }, { usedSessions, allowance }] =
    await Promise.all([
      client.account.limits({}, options),
      client.account.me({}, options),
      client.numbers.list({}, options),
    ])
  const numbers = { used: usedSessions, max: maxNumbers, extra: allowance.extra }
  await context.print.record({ ...left, numbers, products, features }, [
    ...columns,
    ...(left.trial === null ? [] : trialColumns),
  ])
}

export function register(command: Command, run: Run): void {
  examples(command, 'msgctl limits', 'msgctl limits --json --fields changes').action(run(limits))
}
