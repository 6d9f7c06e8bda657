import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { resolveMessageId } from '../messages/reference.ts'
import { controlSimulator } from './control.ts'

const statuses = ['sent', 'delivered', 'read', 'played', 'failed'] as const

async function receipt(context: Context, reference: string, status: string): Promise<void> {
  if (!statuses.some((each) => each === status)) throw usageFailure(`The status must be one of ${statuses.join(', ')}.`)
  const messageId = await resolveMessageId(await context.client(), reference, context.host.signal)
  await context.print.record(
    await controlSimulator(context, 'POST', '/receipts', { messageId, status }),
    defineColumns('networkId, status'),
  )
}

/** `sim receipt`. */
export const receiptVerb = verb('receipt <message> <status>', `simulate a receipt: ${statuses.join(', ')}`, receipt, [
  'msgctl sim receipt 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 read',
])
