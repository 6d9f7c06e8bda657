import type { MessagingClient } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { secondsFrom } from '../../input/duration.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import { waitUntilLinked } from './link-number.ts'
import { registerConnection } from './number-connection.ts'
import { registerGroup } from './number-group.ts'
import { optionalContainerId, resolveContainerId } from './number-reference.ts'

const columns: readonly Column[] = [
  { field: 'label', title: 'Label' },
  { field: 'phoneNumber', title: 'Phone' },
  { field: 'status', title: 'Status' },
  { field: 'isDefault', title: 'Default' },
  { field: 'hasApiKey', title: 'Key' },
  { field: 'id', title: 'Number' },
]

const stateColumns: readonly Column[] = [
  { field: 'containerId', title: 'Number' },
  { field: 'status', title: 'Status' },
  { field: 'me.pushName', title: 'Linked as' },
  { field: 'action.type', title: 'To do' },
  { field: 'action.message', title: 'Why' },
  { field: 'manager.uptime', title: 'Uptime' },
  { field: 'manager.retryCount', title: 'Retries' },
  { field: 'manager.queuesPaused', title: 'Queue paused' },
  { field: 'manager.lastError', title: 'Last error' },
  { field: 'engine', title: 'Engine' },
]

const movedColumns: readonly Column[] = [
  { field: 'status', title: 'Status' },
  { field: 'message', title: 'Message' },
]

function allowanceNote({
  usedSessions,
  maxSessions,
  canCreate,
}: Awaited<ReturnType<MessagingClient['numbers']['list']>>) {
  const used = maxSessions === null ? `${usedSessions} used, no limit` : `${usedSessions} of ${maxSessions} used`
  return canCreate ? used : `${used}; no more can be added`
}

async function list(context: Context): Promise<void> {
  const client = await context.client()
  const answer = await client.numbers.list()
  await context.print.list(answer.sessions, columns)
  context.note(answer.sessions.length === 0 ? 'No numbers yet: msgctl numbers add LABEL' : allowanceNote(answer))
}

async function add(context: Context, label: string): Promise<void> {
  const { session } = await context.asPerson((client) => client.numbers.create({ label }))
  await context.print.record(session, columns)
  context.note(`Link it to a phone with: msgctl numbers link ${session.id}`)
}

async function remove(context: Context, number: string): Promise<void> {
  const id = await context.asPerson(async (client) => {
    const containerId = await resolveContainerId(client, number)
    await context.confirm(`Remove the number ${number} (${containerId}) for good?`)
    await client.numbers.delete({ containerId })
    return containerId
  })
  await context.done({ id, deleted: true }, `Removed ${number}.`)
}

async function rename(context: Context, number: string, label: string): Promise<void> {
  const { session } = await context.asPerson(async (client) =>
    client.numbers.update({ containerId: await resolveContainerId(client, number), label }),
  )
  await context.print.record(session, columns)
}

async function makeDefault(context: Context, number: string): Promise<void> {
  const { session } = await context.asPerson(async (client) =>
    client.numbers.update({ containerId: await resolveContainerId(client, number), isDefault: true }),
  )
  await context.print.record(session, columns)
}

async function status(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  await context.print.record(await client.numbers.status(await optionalContainerId(client, number)), stateColumns)
}

async function start(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  await context.print.record(await client.numbers.start(await optionalContainerId(client, number)), movedColumns)
}

async function stop(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  const chosen = await optionalContainerId(client, number)
  await context.confirm(`Stop ${number ?? 'the default number'}? It sends nothing until it is started again.`)
  await context.print.record(await client.numbers.stop(chosen), movedColumns)
}

interface LinkOptions {
  readonly timeout: string
}

/** The number and its state; a number that is down is started first, since only then it shows a QR. */
async function readyToLink(context: Context, client: MessagingClient, number: string | undefined): Promise<string> {
  const { containerId, status: state } = await client.numbers.status(await optionalContainerId(client, number))
  if (state !== 'STOPPED' && state !== 'FAILED') return containerId
  context.note(`The number is ${state}: starting it.`)
  await client.numbers.start({ containerId })
  return containerId
}

async function link(context: Context, number: string | undefined, { timeout }: LinkOptions): Promise<void> {
  const timeoutMs = secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const containerId = await readyToLink(context, client, number)
  await waitUntilLinked(context, client, containerId, { timeoutMs, drawn: true })
  await context.print.record(await client.numbers.status({ containerId }), stateColumns)
}

interface PairOptions extends LinkOptions {
  readonly number?: string
  readonly wait?: true
}

async function pair(context: Context, phone: string, { number, wait, timeout }: PairOptions): Promise<void> {
  const timeoutMs = secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const containerId = await readyToLink(context, client, number)
  const answer = await client.numbers.pair({ phone, containerId })
  await context.print.record(answer, [{ field: 'code', title: 'Code' }, ...movedColumns])
  if (wait) await waitUntilLinked(context, client, containerId, { timeoutMs, drawn: false })
}

interface ReleaseOptions {
  readonly send?: true
  readonly discard?: true
}

async function release(context: Context, number: string, options: ReleaseOptions): Promise<void> {
  if ((options.send === true) === (options.discard === true)) {
    throw usageFailure('Say what becomes of the held messages: --send or --discard.')
  }
  const action = options.send ? 'send' : 'discard'
  const client = await context.client()
  const containerId = await resolveContainerId(client, number)
  await context.confirm(action === 'send' ? `Send what is held for ${number}?` : `Discard what is held for ${number}?`)
  const { messages } = await client.numbers.release({ containerId, action })
  await context.print.record({ containerId, action, messages }, [{ field: 'messages', title: 'Messages' }])
}

export function register(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'list',
    'list the numbers',
    'msgctl numbers list',
    'msgctl numbers list --json --fields id,status',
  ).action(run(list))
  addVerb(numbers, 'add <label>', 'add a number (a signed-in person)', 'msgctl numbers add support').action(run(add))
  addVerb(
    numbers,
    'remove <number>',
    'remove a number for good (a signed-in person)',
    'msgctl numbers remove support',
    'msgctl numbers remove 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --yes',
  ).action(run(remove))
  addVerb(
    numbers,
    'rename <number> <label>',
    'give a number another label (a signed-in person)',
    'msgctl numbers rename support "Front desk"',
  ).action(run(rename))
  addVerb(
    numbers,
    'default <number>',
    'make a number the default (a signed-in person)',
    'msgctl numbers default support',
  ).action(run(makeDefault))
  addVerb(
    numbers,
    'status [number]',
    'show how a number is connected, and what to do',
    'msgctl numbers status',
    'msgctl numbers status support --json --fields status,action',
  ).action(run(status))
  addVerb(numbers, 'start [number]', 'start a stopped number', 'msgctl numbers start support').action(run(start))
  addVerb(numbers, 'stop [number]', 'stop a number until it is started again', 'msgctl numbers stop support').action(
    run(stop),
  )
  registerConnection(numbers, run)
  registerLinking(numbers, run)
  registerGroup(numbers, run)
}

function registerLinking(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'link [number]',
    'draw the QR and wait until a phone has scanned it',
    'msgctl numbers link',
    'msgctl numbers link support --timeout 10m',
  )
    .option('--timeout <time>', 'how long to wait', '5m')
    .action(run(link))
  addVerb(
    numbers,
    'pair <phone>',
    'get a code to type on the phone instead of a QR',
    'msgctl numbers pair +12025550199 --number support --wait',
  )
    .option('--number <number>', 'the number to link: its id, label or phone')
    .option('--wait', 'wait until it is linked')
    .option('--timeout <time>', 'how long to wait', '5m')
    .action(run(pair))
  addVerb(
    numbers,
    'release <number>',
    'decide about messages held after another phone was linked',
    'msgctl numbers release support --send',
    'msgctl numbers release support --discard --yes',
  )
    .option('--send', 'send them from this phone')
    .option('--discard', 'drop them')
    .action(run(release))
}
