import type { MessagingClient, Overview } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { type DrawStyle, drawStyle } from '../../output/bars.ts'
import type { Column } from '../../output/columns.ts'
import { examples, type Run } from '../../program.ts'
import { frameLines } from './frame.ts'

interface TopOptions {
  readonly once?: true
  readonly ascii?: true
}

const columns: readonly Column[] = [
  { field: 'at', title: 'At' },
  { field: 'messages.queued', title: 'Waiting' },
  { field: 'messages.failed', title: 'Failed' },
  { field: 'unread', title: 'Unread' },
]

/** The second screen of a terminal, which leaves what was on the first as it was. */
const openScreen = '\u001b[?1049h\u001b[?25l'
const closeScreen = '\u001b[?25h\u001b[?1049l'
const toTop = '\u001b[H'
const clearRest = '\u001b[K'
const clearBelow = '\u001b[J'
/** The counts by hour change slowly. */
const hoursEveryMs = 30_000

function styleOf({ host }: Context, options: TopOptions): DrawStyle {
  return drawStyle(host, options.ascii === true)
}

async function readHours(context: Context, client: MessagingClient) {
  return (await client.messages.hours({}, { signal: context.host.signal })).hours
}

async function once(context: Context, client: MessagingClient, options: TopOptions): Promise<void> {
  const overview = await client.overview.get({}, { signal: context.host.signal })
  if (context.print.isMachineReadable) return context.print.record(withoutSuccess(overview), columns)
  const lines = frameLines(overview, await readHours(context, client), styleOf(context, options))
  context.host.stdout.write(`${lines.join('\n')}\n`)
}

function withoutSuccess({ success: _always, ...overview }: Overview): Omit<Overview, 'success'> {
  return overview
}

/** Draws each record over the one before, until Ctrl-C. */
async function watch(context: Context, client: MessagingClient, options: TopOptions): Promise<void> {
  const { host, print } = context
  const stream = client.overview.stream({}, { signal: host.signal })
  if (print.isMachineReadable) {
    for await (const overview of stream) await print.follow(withoutSuccess(overview), columns, () => '')
    return
  }
  let hours: Awaited<ReturnType<typeof readHours>> = []
  let readAt = Number.NEGATIVE_INFINITY
  host.stdout.write(openScreen)
  try {
    for await (const overview of stream) {
      if (host.now() - readAt >= hoursEveryMs) {
        hours = await readHours(context, client)
        readAt = host.now()
      }
      const lines = frameLines(overview, hours, styleOf(context, options)).map((line) => line + clearRest)
      host.stdout.write(`${toTop}${lines.join('\n')}${clearRest}\n${clearBelow}`)
    }
  } finally {
    host.stdout.write(closeScreen)
  }
}

async function top(context: Context, options: TopOptions): Promise<void> {
  const client = await context.client()
  const isOnce = options.once === true || (!context.print.isMachineReadable && context.host.stdout.isTTY !== true)
  await (isOnce ? once(context, client, options) : watch(context, client, options))
}

export function register(command: Command, run: Run): void {
  examples(command, 'msgctl top', 'msgctl top --once --ascii', 'msgctl top --output ndjson')
    .option('--once', 'print the present state and end; this is also what happens without a terminal')
    .option('--ascii', 'draw with ASCII characters only')
    .action(run(top))
}
