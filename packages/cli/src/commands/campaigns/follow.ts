import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { isTransient, type ReadOptions, readWithin } from '../../http/polling.ts'
import { ProgressLine, progressText, Rate } from '../../output/progress.ts'

type Campaign = Omit<Awaited<ReturnType<MessagingClient['campaigns']['get']>>, 'success'>

/** How often a campaign is looked at while messages leave, and while it waits for a person or for its time. */
const sendingMs = 2_000
const waitingMs = 10_000

/** How watching ended; `detached` when the person pressed Ctrl-C. */
export type Watched =
  | { readonly end: 'completed' | 'cancelled' | 'draft' | 'timed out'; readonly campaign: Campaign }
  | { readonly end: 'detached' }

async function readCampaign(client: MessagingClient, id: string, options: ReadOptions): Promise<Campaign> {
  const { success: _always, ...campaign } = await client.campaigns.get({ id }, options)
  return campaign
}

function lineOf({ status, scheduledAt, stats }: Campaign, rate: Rate, columns: number | undefined): string {
  if (status === 'scheduled') return `scheduled for ${scheduledAt}`
  const { sent, failed, total } = stats
  const perMinute = status === 'sending' ? rate.perMinute() : undefined
  return progressText(status, { done: sent + failed, failed, total }, perMinute, columns)
}

/** Nothing when the service could not be asked just now. */
function orNothing(error: unknown): undefined {
  if (!isTransient(error)) throw error
}

/**
 * Shows how a campaign moves until it is over, the person presses Ctrl-C, or `timeoutMs` are over. A paused one is waited
 * for. Throws a MessagingError when there is no such campaign or the service refuses.
 */
export async function watchCampaign(
  context: Context,
  client: MessagingClient,
  id: string,
  timeoutMs: number,
): Promise<Watched> {
  const { host, print, options } = context
  const line = new ProgressLine(host, print.isMachineReadable || options.quiet === true)
  const rate = new Rate()
  const endMs = host.now() + timeoutMs
  const look = () => readWithin(context, endMs, (how) => readCampaign(client, id, how))
  let campaign: Campaign = await look()
  try {
    for (let before: string | undefined; ; before = campaign.status) {
      const { status, stats } = campaign
      if (status !== before) rate.restart()
      rate.add({ atMs: host.now(), done: stats.sent + stats.failed })
      const isOver = status === 'completed' || status === 'cancelled' || status === 'draft'
      line.show(lineOf(campaign, rate, line.columns), isOver || status !== before)
      if (isOver) return { end: status, campaign }
      const leftMs = endMs - host.now()
      if (leftMs <= 0) return { end: 'timed out', campaign }
      await host.wait(Math.min(leftMs, status === 'sending' ? sendingMs : waitingMs), host.signal)
      if (host.signal.aborted) return { end: 'detached' }
      campaign = (await look().catch(orNothing)) ?? campaign
    }
  } catch (error) {
    if (host.signal.aborted) return { end: 'detached' }
    throw error
  } finally {
    line.end()
  }
}
