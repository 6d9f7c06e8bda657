import { limits } from '@msgctl/contract/limits'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import type { Column } from '../../output/columns.ts'
import { verb } from '../../program.ts'

const columns: readonly Column[] = ['day', 'sent', 'delivered', 'verified', 'expired', 'failed', 'limited'].map(
  (field) => ({ field, title: `${field[0]?.toUpperCase()}${field.slice(1)}` }),
)

async function stats(context: Context, { days }: { readonly days?: string }): Promise<void> {
  const count = wholeFrom(days ?? String(limits.otp.statsDays), '--days', 1, limits.statsDays)
  const client = await context.client()
  const counted = await client.otp.stats({ days: count }, { signal: context.host.signal })
  await context.print.list(counted.days, columns)
}

/** `otp stats`. */
export const statsVerb = verb(
  'stats',
  'count codes by UTC day: sent, verified, expired, refused by a limit',
  stats,
  ['msgctl otp stats', 'msgctl otp stats --days 31 --output csv'],
  (command) =>
    command.option('--days <count>', `how many days, up to ${limits.statsDays} (default: ${limits.otp.statsDays})`),
)
