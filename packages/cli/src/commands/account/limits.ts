import type { Command } from 'commander'
import { isNumberKey } from '../../config/target.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { defineColumns } from '../../output/columns.ts'
import { examples, type Run } from '../../program.ts'

const orNoLimit = (value: unknown) => (value === null || value === undefined ? 'no limit' : String(value))

const columns = defineColumns(
  { field: 'changes.remaining', title: 'Changes left', show: orNoLimit },
  { field: 'changes.limitPerMinute', title: 'Changes per minute', show: orNoLimit },
  'changes.resetsAt as Limit resets at, texts.perNumberPerMinute as Texts per minute and number',
  'campaigns.perNumberPerMinute as Campaign messages per minute and number, numbers.used as Numbers used',
  { field: 'numbers.max', title: 'Numbers allowed', show: orNoLimit },
  'products, features',
)

const trialColumns = defineColumns(
  'trial.used as Trial messages used, trial.limit as Trial messages per day, trial.endsAt as Trial ends',
)

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
