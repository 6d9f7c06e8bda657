import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import type { Host } from '../../host.ts'
import { isTransient, type ReadOptions, readWithin } from '../../http/polling.ts'
import { campaignBar, drawStyle } from '../../output/bars.ts'
import { ProgressLine, progressText, Rate } from '../../output/progress.ts'

type Campaign = Omit<Awaited<ReturnType<MessagingClient['campaigns']['get']>>, 'success'>

/** The poll interval while the campaign is sending, and while it is paused or scheduled. */
const sendingMs = 2_000
const waitingMs = 10_000

/** How watching ended; `detached` after Ctrl-C. */
export type Watched =
  | { readonly end: 'completed' | 'cancelled' | 'draft' | 'timed out'; readonly campaign: Campaign }
  | { readonly end: 'detached' }

async function readCampaign(client: MessagingClient, id: string, options: ReadOptions): Promise<Campaign> {
  const { success: _always, ...campaign } = await client.campaigns.get({ id }, options)
  return campaign
}

/** The line of progress cannot be coloured, because it is cut at the width of the terminal. */
function formatLine(
  host: Host,
  { status, scheduledAt, stats }: Campaign,
  rate: Rate,
  columns: number | undefined,
): string {
  if (status === 'scheduled') return `scheduled for ${scheduledAt}`
  const { sent, failed, total } = stats
  const perMinute = status === 'sending' ? rate.perMinute() : undefined
  const style = { ...drawStyle(host), colours: false }
  const draw = (width: number) => campaignBar(stats, width, style)
  return progressText(status, { done: sent + failed, failed, total }, perMinute, columns, draw)
}

/** Ignores a temporary error of one poll. */
function ignoreTransient(error: unknown): undefined {
  if (!isTransient(error)) throw error
}

/**
 * Shows the progress of a campaign until it ends, Ctrl-C, or `timeoutMs`. Waits while it is paused. Throws a
 * MessagingError when the campaign does not exist or the service rejects the read.
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
  const poll = () => readWithin(context, endMs, (readOptions) => readCampaign(client, id, readOptions))
  let campaign: Campaign = await poll()
  try {
    for (let before: string | undefined; ; before = campaign.status) {
      const { status, stats } = campaign
      if (status !== before) rate.restart()
      rate.add({ atMs: host.now(), done: stats.sent + stats.failed })
      const isOver = status === 'completed' || status === 'cancelled' || status === 'draft'
      line.show(formatLine(host, campaign, rate, line.columns), isOver || status !== before)
      if (isOver) return { end: status, campaign }
      const leftMs = endMs - host.now()
      if (leftMs <= 0) return { end: 'timed out', campaign }
      await host.wait(Math.min(leftMs, status === 'sending' ? sendingMs : waitingMs), host.signal)
      if (host.signal.aborted) return { end: 'detached' }
      campaign = (await poll().catch(ignoreTransient)) ?? campaign
    }
  } catch (error) {
    if (host.signal.aborted) return { end: 'detached' }
    throw error
  } finally {
    line.end()
  }
}
