import type { MessagingClient, Overview } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { interrupted } from '../../errors/format-error.ts'
import { type DrawStyle, drawStyle } from '../../output/bars.ts'
import { defineColumns } from '../../output/columns.ts'
import { examples, type Run } from '../../program.ts'
import { frameLines } from './frame.ts'
import { interruptedByKey, watchQuitKey } from './quit-key.ts'

interface TopOptions {
  readonly once?: true
  readonly ascii?: true
}

const columns = defineColumns('at, messages.queued as Waiting, messages.failed, unread')

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

/** Returns whether a picture is drawn. Other formats have one record for each state. */
function isDrawn({ print, options }: Context): boolean {
  return print.format === 'table' && options.fields === undefined
}

async function once(context: Context, client: MessagingClient, options: TopOptions): Promise<void> {
  const overview = await client.overview.get({}, { signal: context.host.signal })
  if (!isDrawn(context)) return context.print.record(withoutSuccess(overview), columns)
  const lines = frameLines(overview, await readHours(context, client), styleOf(context, options))
  context.host.stdout.write(`${lines.join('\n')}\n`)
}

function withoutSuccess({ success: _always, ...overview }: Overview): Omit<Overview, 'success'> {
  return overview
}

/** Prints each record as it comes, until Ctrl-C. */
async function follow({ host, print }: Context, client: MessagingClient): Promise<void> {
  const stream = client.overview.stream({}, { signal: host.signal })
  for await (const overview of stream) await print.follow(withoutSuccess(overview), columns, () => '')
}

/** Draws each record over the one before, until `signal` aborts. */
async function draw(context: Context, client: MessagingClient, options: TopOptions, signal: AbortSignal) {
  const { host } = context
  let hours: Awaited<ReturnType<typeof readHours>> = []
  let readAt = Number.NEGATIVE_INFINITY
  for await (const overview of client.overview.stream({}, { signal })) {
    if (host.now() - readAt >= hoursEveryMs) {
      hours = await readHours(context, client)
      readAt = host.now()
    }
    const lines = [...frameLines(overview, hours, styleOf(context, options)), '', 'q quits'].map(
      (line) => line + clearRest,
    )
    host.stdout.write(`${toTop}${lines.join('\n')}${clearRest}\n${clearBelow}`)
  }
}

/** Draws until q or Ctrl-C, and then restores the screen. */
async function watch(context: Context, client: MessagingClient, options: TopOptions): Promise<void> {
  const { host } = context
  const key = watchQuitKey(host)
  host.stdout.write(openScreen)
  try {
    await draw(context, client, options, key.signal)
  } catch (error) {
    if (host.signal.aborted || !key.signal.aborted) throw error
  } finally {
    key.end()
    host.stdout.write(closeScreen)
  }
  if (key.signal.reason === interruptedByKey) throw new CliError(interrupted.message, interrupted)
}

async function top(context: Context, options: TopOptions): Promise<void> {
  const client = await context.client()
  const { host, print } = context
  // Only NDJSON is a format of an endless list.
  const isEndless = host.stdout.isTTY === true || print.format === 'ndjson'
  if (options.once === true || !isEndless) return once(context, client, options)
  await (isDrawn(context) ? watch(context, client, options) : follow(context, client))
}

export function register(command: Command, run: Run): void {
  examples(command, 'msgctl top', 'msgctl top --once --ascii', 'msgctl top --output ndjson')
    .option('--once', 'print the present state and end (default without a terminal, except with --output ndjson)')
    .option('--ascii', 'draw with ASCII characters only')
    .action(run(top))
}
