import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { verb } from '../../program.ts'
import { example } from './options.ts'
import { shownRecipients } from './recipient-list.ts'
import { findCampaign } from './reference.ts'

function notCancellable(reference: string, status: string): CliError {
  const next = status === 'sending' ? `Pause it first: msgctl campaigns pause ${reference}` : undefined
  return new CliError(`Cannot cancel a campaign that is ${status}: it must be scheduled or paused.`, {
    code: 'CAMPAIGN_INVALID_STATE',
    exitCode: exitCodes.conflict,
    advice: next,
  })
}

async function cancel(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const { id, name, status, stats } = await findCampaign(client, reference, context.host.signal)
  if (status !== 'scheduled' && status !== 'paused') throw notCancellable(reference, status)
  const left = stats.total - stats.sent - stats.failed
  await context.confirmTyped(`Cancel the campaign "${name}" for good, with ${shownRecipients(left)} left?`, name)
  const { success: _always, ...cancelled } = await client.campaigns.cancel({ id })
  await context.print.record(cancelled, [
    { field: 'status', title: 'Status' },
    { field: 'jobsRemoved', title: 'Removed from the queue' },
  ])
}

/** `campaigns cancel`. */
export const cancelVerb = verb('cancel <campaign>', 'cancel a campaign', cancel, [
  `msgctl campaigns cancel ${example} --yes`,
])
