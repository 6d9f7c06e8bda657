import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { examples, type Run } from '../../program.ts'

const columns = [
  { field: 'totalMessages', title: 'Messages' },
  { field: 'sent', title: 'Sent' },
  { field: 'delivered', title: 'Delivered or read' },
  { field: 'failed', title: 'Failed' },
  { field: 'alerts', title: 'Alerts' },
  { field: 'bulk', title: 'Campaign messages' },
  { field: 'otp', title: 'One-time codes' },
  { field: 'last24h', title: 'Last 24 hours' },
  { field: 'last7d', title: 'Last 7 days' },
]

/** Shown while the guard rules hold messages back. */
const heldColumns = [
  { field: 'held.total', title: 'Held' },
  { field: 'held.rules', title: 'Held by rule' },
]

async function stats(context: Context): Promise<void> {
  const client = await context.client()
  const { success: _always, ...counts } = await client.messages.stats()
  await context.print.record(counts, counts.held.total > 0 ? [...columns, ...heldColumns] : columns)
}

export function register(command: Command, run: Run): void {
  examples(command, 'msgctl stats', 'msgctl stats --json --fields totalMessages,failed').action(run(stats))
}
