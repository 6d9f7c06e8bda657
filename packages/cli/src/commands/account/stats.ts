import { limits } from '@msgctl/contract/limits'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { examples, type Run } from '../../program.ts'

const columns = defineColumns(
  'totalMessages as Messages, sent, delivered as Delivered or read, failed, alerts, bulk as Campaign messages',
  'otp as One-time codes, last24h as Last 24 hours, last7d as Last 7 days',
)

/** Shown while the guard rules hold messages back. */
const heldColumns = defineColumns('held.total as Held, held.rules as Held by rule')

const hourColumns = ['hour', 'type', 'queued', 'sending', 'sent', 'delivered', 'read', 'failed'].map((field) => ({
  field,
  title: `${field[0]?.toUpperCase()}${field.slice(1)}`,
}))

const mostHours = limits.statsDays * 24
const hourMs = 3_600_000

/** Lists the counts of the last hours. */
async function statsByHour(context: Context, given: string): Promise<void> {
  const hours = wholeFrom(given, '--hours', 1, mostHours)
  const from = new Date(context.host.now() - (hours - 1) * hourMs).toISOString()
  const client = await context.client()
  const found = await client.messages.hours({ from }, { signal: context.host.signal })
  await context.print.list(found.hours, hourColumns, 'No messages in this time.')
}

async function stats(context: Context, options: { readonly hours?: string }): Promise<void> {
  if (options.hours !== undefined) return statsByHour(context, options.hours)
  const client = await context.client()
  const { success: _always, ...counts } = await client.messages.stats()
  await context.print.record(counts, counts.held.total > 0 ? [...columns, ...heldColumns] : columns)
}

export function register(command: Command, run: Run): void {
  examples(command, 'msgctl stats', 'msgctl stats --json --fields totalMessages,failed', 'msgctl stats --hours 24')
    .option('--hours <count>', `count the messages of the last hours, hour by hour, up to ${mostHours}`)
    .action(run(stats))
}
