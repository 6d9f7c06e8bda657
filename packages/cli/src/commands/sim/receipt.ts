import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { addVerb, type Run } from '../../program.ts'
import { controlSimulator } from './control.ts'

const statuses = ['sent', 'delivered', 'read', 'played', 'failed'] as const

async function receipt(context: Context, messageId: string, status: string): Promise<void> {
  if (!statuses.some((each) => each === status)) throw usageFailure(`The status must be one of ${statuses.join(', ')}.`)
  await context.print.record(await controlSimulator(context, 'POST', '/receipts', { messageId, status }), [
    { field: 'networkId', title: 'Network id' },
    { field: 'status', title: 'Status' },
  ])
}

/** Adds `sim receipt`. */
export function registerReceipt(sim: Command, run: Run): void {
  addVerb(
    sim,
    'receipt <message> <status>',
    `simulate a receipt: ${statuses.join(', ')}`,
    'msgctl sim receipt 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 read',
  ).action(run(receipt))
}
