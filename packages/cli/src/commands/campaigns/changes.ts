import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { example, fromOption, type Through } from './options.ts'
import { shownRecipients } from './recipient-list.ts'
import { findCampaign, resolveCampaignId } from './reference.ts'

async function pause(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const { success: _always, ...paused } = await client.campaigns.pause({ id })
  await context.print.record(paused, defineColumns('status, jobsRemoved as Removed from the queue'))
}

async function resume(context: Context, reference: string, { from }: Through): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const through = await optionalContainerId(client, from)
  const { success: _always, ...resumed } = await client.campaigns.resume({ id, ...through })
  await context.print.record(resumed, defineColumns('status, jobsRequeued as Queued again'))
}

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
  await context.print.record(cancelled, defineColumns('status, jobsRemoved as Removed from the queue'))
}

async function remove(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const { id, name, stats } = await findCampaign(client, reference, context.host.signal)
  await context.confirmTyped(
    `Delete the campaign "${name}" with its message history of ${shownRecipients(stats.total)}?`,
    name,
  )
  await client.campaigns.delete({ id })
  await context.print.record({ id, deleted: true }, [{ field: 'id', title: 'Deleted' }])
}

/** `campaigns pause|resume|cancel|delete`. */
export const changeVerbs = verbs(
  verb('pause <campaign>', 'pause a campaign', pause, [`msgctl campaigns pause ${example}`]),
  verb('resume <campaign>', 'resume a paused campaign', resume, [`msgctl campaigns resume ${example}`], (command) =>
    command.option(...fromOption),
  ),
  verb('cancel <campaign>', 'cancel a campaign', cancel, [`msgctl campaigns cancel ${example} --yes`]),
  verb('delete <campaign>', 'delete a campaign', remove, [`msgctl campaigns delete ${example} --yes`]),
)
