import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { interrupted } from '../../errors/format-error.ts'
import { secondsFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { type Watched, watchCampaign } from './follow.ts'
import { resolveCampaignId } from './reference.ts'

const columns = defineColumns(
  'status, name, stats.total as Recipients, stats.sent, stats.delivered, stats.read, stats.failed',
)

/** Handles Ctrl-C. It is an error only in machine-readable formats, because the campaign has not ended. */
function detach(context: Context, id: string): number {
  if (context.print.isMachineReadable) throw new CliError(interrupted.message, interrupted)
  context.note(`Detached; the campaign continues. Watch it again with: msgctl campaigns watch ${id}`)
  return exitCodes.interrupted
}

function unfinished({ end, campaign }: Exclude<Watched, { end: 'detached' | 'completed' }>): CliError {
  const { id, stats, startError } = campaign
  const details = { campaignId: id, status: campaign.status, stats, startError }
  if (end === 'timed out') {
    const message = `Timed out: the campaign is ${campaign.status}. It continues.`
    const advice = `msgctl campaigns watch ${id}`
    return new CliError(message, { code: 'WAIT_TIMED_OUT', exitCode: exitCodes.waitTimedOut, advice, details })
  }
  const facts = { code: 'WAIT_FAILED', exitCode: exitCodes.waitFailed, details }
  if (end === 'cancelled') return new CliError('The campaign was cancelled.', facts)
  const reason = startError === null ? '' : ` Its start failed: ${startError}.`
  const advice = `Start it with: msgctl campaigns send ${id}`
  return new CliError(`The campaign is a draft and is not scheduled.${reason}`, { ...facts, advice })
}

/** No timeout: longer than any campaign. */
const noTimeoutMs = 2 ** 52

async function watch(context: Context, reference: string, { timeout }: { readonly timeout?: string }): Promise<number> {
  const timeoutMs = timeout === undefined ? noTimeoutMs : secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const watched = await watchCampaign(context, client, id, timeoutMs)
  if (watched.end === 'detached') return detach(context, id)
  if (watched.end !== 'completed') throw unfinished({ ...watched, end: watched.end })
  const { stats } = watched.campaign
  await context.print.record(watched.campaign, columns)
  if (stats.failed === 0) return exitCodes.ok
  context.note(`List the failed recipients with: msgctl campaigns recipients ${id} --failed`)
  return exitCodes.partlyDone
}

/** `campaigns watch`. */
export const watchVerb = verb(
  'watch <campaign>',
  'show the progress of a campaign until it ends; Ctrl-C leaves it running',
  watch,
  [
    'msgctl campaigns watch 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl campaigns watch 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --timeout 2h --json',
    'msgctl campaigns watch "May news"',
  ],
  (command) =>
    command
      .option('--timeout <time>', 'stop watching after this time')
      .addHelpText(
        'after',
        '\nExit code: 0 all sent, 9 some failed, 11 cancelled or not started, 12 timed out, 130 Ctrl-C.',
      ),
)
