import { limits } from '@msgctl/contract/limits'
import { type NumberStatus, numberStatuses } from '@msgctl/contract/states'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { secondsFrom } from '../../input/duration.ts'
import { type Column, shownText } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from './number-reference.ts'
import { diffNumbers, type NumberChange, readNumbers } from './watch-numbers.ts'

const movedColumns: readonly Column[] = [
  { field: 'status', title: 'Status' },
  { field: 'message', title: 'Message' },
]

const historyColumns: readonly Column[] = [
  { field: 'at', title: 'When' },
  { field: 'from', title: 'From' },
  { field: 'to', title: 'To' },
  { field: 'source', title: 'By' },
  { field: 'reason', title: 'Why' },
]

const watchColumns: readonly Column[] = [
  { field: 'at', title: 'When' },
  { field: 'label', title: 'Label' },
  { field: 'from', title: 'From' },
  { field: 'status', title: 'Status' },
  { field: 'containerId', title: 'Number' },
]

const profileColumns: readonly Column[] = [
  { field: 'name', title: 'Name' },
  { field: 'about', title: 'About' },
  { field: 'pictureUrl', title: 'Picture' },
  { field: 'id', title: 'Network id' },
  { field: 'containerId', title: 'Number' },
]

async function reconnect(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  await context.print.record(await client.numbers.reconnect(await optionalContainerId(client, number)), movedColumns)
}

async function logout(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  const chosen = await optionalContainerId(client, number)
  await context.confirm(`Unlink ${number ?? 'the default number'}? A phone must scan a QR before it sends again.`)
  const answer = await client.numbers.logout(chosen)
  await context.print.record(answer, [...movedColumns, { field: 'heldMessages', title: 'Messages that wait' }])
  context.note(`Link it again with: msgctl numbers link ${answer.containerId}`)
}

async function history(context: Context, number: string | undefined, paging: ListOptions): Promise<void> {
  const client = await context.client()
  const chosen = await optionalContainerId(client, number)
  const options = { signal: context.host.signal }
  const rows = listRows(paging, {
    all: (limit) => client.numbers.history.all({ ...chosen, limit }, options),
    page: async (page, limit) => (await client.numbers.history({ ...chosen, page, limit }, options)).history,
  })
  await context.print.list(rows, historyColumns)
}

interface WatchOptions {
  readonly until?: NumberStatus
  readonly timeout?: string
}

function lineOf(row: unknown): string {
  const { at, label, containerId, from, status } = row as NumberChange
  return [shownText(at), label ?? containerId, from === null ? status : `${from} -> ${status}`].join('  ')
}

function notReached(until: NumberStatus): CliError {
  return new CliError(`Time is up and the number is not ${until}.`, {
    code: 'WAIT_TIMED_OUT',
    exitCode: exitCodes.waitTimedOut,
    advice: 'See msgctl numbers status for what it waits for.',
  })
}

/** Far beyond the longest watch. */
const noTimeoutMs = 2 ** 52

async function watch(context: Context, number: string | undefined, { until, timeout }: WatchOptions): Promise<void> {
  const timeoutMs = timeout === undefined ? noTimeoutMs : secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const { containerId } = await optionalContainerId(client, number)
  context.note('Watching; Ctrl-C ends it.')
  for await (const change of diffNumbers(context, readNumbers(context, client, containerId), timeoutMs)) {
    await context.print.follow(change, watchColumns, lineOf)
    if (change.status === until) return
  }
  if (until !== undefined) throw notReached(until)
}

interface ProfileOptions {
  readonly name?: string
  readonly about?: string
  readonly picture?: string
}

async function profile(context: Context, number: string | undefined, options: ProfileOptions): Promise<void> {
  const { name, about, picture } = options
  if (name?.trim() === '') throw usageFailure('--name must not be empty.')
  const client = await context.client()
  const chosen = await optionalContainerId(client, number)
  const change = {
    ...(name !== undefined && { name }),
    ...(about !== undefined && { about }),
    ...(picture !== undefined && { pictureUrl: picture }),
  }
  const shown =
    Object.keys(change).length === 0
      ? await client.numbers.profile(chosen)
      : await client.numbers.setProfile({ ...change, ...chosen })
  await context.print.record(shown, profileColumns)
}

/** The verbs of `msgctl numbers` that look after a connection. */
export function registerConnection(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'reconnect [number]',
    'restart a stuck connection; the link to the phone stays',
    'msgctl numbers reconnect support',
  ).action(run(reconnect))
  addVerb(
    numbers,
    'logout [number]',
    'end the link to the phone; a phone must scan again',
    'msgctl numbers logout support --yes',
  ).action(run(logout))
  listOptions(
    addVerb(
      numbers,
      'history [number]',
      'list how a connection changed, the latest first',
      'msgctl numbers history support',
      'msgctl numbers history support --all --output csv',
    ),
  ).action(run(history))
  addVerb(
    numbers,
    'watch [number]',
    'show states as they change, of one number or of all',
    'msgctl numbers watch',
    'msgctl numbers watch support --until WORKING --timeout 5m',
  )
    .addOption(new Option('--until <status>', 'end when a number is in this state').choices(numberStatuses))
    .option('--timeout <time>', 'how long to watch at most')
    .addHelpText('after', '\nExit code: 12 when time was up before --until, 130 on Ctrl-C.')
    .action(run(watch))
  addVerb(
    numbers,
    'profile [number]',
    'show what others see of a number, or change it',
    'msgctl numbers profile support',
    'msgctl numbers profile support --name "Front desk" --about "Open 9 to 5"',
  )
    .option('--name <name>', `the name others see, up to ${limits.profile.name} characters`)
    .option('--about <text>', `the text under it, up to ${limits.profile.about} characters`)
    .option('--picture <url>', 'a public link to the new picture')
    .action(run(profile))
}
