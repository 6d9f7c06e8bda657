import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { secondsFrom, wholeFrom } from '../../input/duration.ts'
import { parseFields } from '../../input/form-fields.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import { type Body, controlSimulator, simulatedNumber } from './simulator.ts'

const statuses = ['sent', 'delivered', 'read', 'played', 'failed'] as const
const inboundTypes = ['chat', 'location', 'voice', 'image', 'video', 'file', 'sticker', 'buttons', 'list'] as const

async function move(context: Context, verb: string, number: string | undefined, body: Body = {}): Promise<void> {
  const containerId = await simulatedNumber(context, number)
  await context.print.record(await controlSimulator(context, 'POST', `/numbers/${containerId}/${verb}`, body), [
    { field: 'containerId', title: 'Number' },
    { field: 'status', title: 'Status' },
    { field: 'phone', title: 'Phone' },
  ])
}

async function scan(
  context: Context,
  number: string | undefined,
  { phone }: { readonly phone?: string },
): Promise<void> {
  await move(context, 'scan', number, phone === undefined ? {} : { phone })
}

async function drop(
  context: Context,
  number: string | undefined,
  { seconds }: { readonly seconds: string },
): Promise<void> {
  await move(context, 'drop', number, { seconds: secondsFrom(seconds, '--seconds') })
}

interface InboundOptions {
  readonly number?: string
  readonly type?: string
  readonly caption?: string
  readonly latitude?: string
  readonly longitude?: string
  readonly button?: string
  readonly row?: string
  readonly group?: string
}

function degrees(text: string | undefined, what: string): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() !== '' && Math.abs(value) <= 180) return value
  throw usageFailure(`${what} must be degrees from -180 to 180.`)
}

async function inbound(
  context: Context,
  from: string,
  text: string | undefined,
  options: InboundOptions,
): Promise<void> {
  const { type, caption, latitude, longitude, button, row, group } = options
  const body = {
    containerId: await simulatedNumber(context, options.number),
    from,
    text,
    type,
    caption,
    latitude: degrees(latitude, '--latitude'),
    longitude: degrees(longitude, '--longitude'),
    selectedButtonId: button,
    selectedRowId: row,
    groupId: group,
  }
  await context.print.record(await controlSimulator(context, 'POST', '/inbound', body), [
    { field: 'networkId', title: 'Network id' },
  ])
}

async function person(context: Context, state: 'online' | 'offline', phone: string): Promise<void> {
  await context.print.record(await controlSimulator(context, 'POST', `/people/${encodeURIComponent(phone)}/${state}`), [
    { field: 'phone', title: 'Phone' },
    { field: 'online', title: 'Online' },
  ])
}

async function receipt(context: Context, messageId: string, status: string): Promise<void> {
  if (!statuses.some((each) => each === status)) throw usageFailure(`The status is one of ${statuses.join(', ')}.`)
  await context.print.record(await controlSimulator(context, 'POST', '/receipts', { messageId, status }), [
    { field: 'networkId', title: 'Network id' },
    { field: 'status', title: 'Status' },
  ])
}

const transcriptColumns: readonly Column[] = [
  { field: 'at', title: 'At' },
  { field: 'to', title: 'To' },
  { field: 'content', title: 'Content', long: true, show: contentText },
  { field: 'typed', title: 'Typed' },
  { field: 'networkId', title: 'Network id' },
]

/** The words of a text; anything else as it is. */
function contentText(content: unknown): string {
  const { text } = (content ?? {}) as { text?: unknown }
  return typeof content === 'string' ? content : typeof text === 'string' ? text : JSON.stringify(content)
}

interface TranscriptOptions {
  readonly number?: string
  readonly phone?: string
}

async function transcript(context: Context, { number, phone }: TranscriptOptions): Promise<void> {
  const containerId = number === undefined ? undefined : await simulatedNumber(context, number)
  const query = { containerId, phone }
  await context.print.list(transcriptRows(context, query), transcriptColumns)
}

/** The answer of GET /sim/transcript. */
interface TranscriptPage {
  readonly messages: readonly unknown[]
  readonly nextAfter: number | null
}

async function* transcriptRows(context: Context, query: Body): AsyncGenerator<unknown, void, undefined> {
  let after: number | null = 0
  while (after !== null) {
    const page = (await controlSimulator(context, 'GET', '/transcript', { ...query, after })) as TranscriptPage
    yield* page.messages
    after = page.nextAfter
  }
}

const clockColumns: readonly Column[] = [{ field: 'now', title: 'Now' }]

async function clock(context: Context): Promise<void> {
  await context.print.record(await controlSimulator(context, 'GET', '/clock'), clockColumns)
}

async function advance(context: Context, time: string): Promise<void> {
  const seconds = secondsFrom(time, 'The time')
  await context.print.record(await controlSimulator(context, 'POST', '/clock/advance', { seconds }), clockColumns)
}

const faultColumns: readonly Column[] = [{ field: 'faults', title: 'Faults' }]

async function setFaults(context: Context, pairs: readonly string[], { latency }: { readonly latency?: string }) {
  const faults = parseFields([], pairs)
  const latencyMs = latency === undefined ? {} : { latencyMs: wholeFrom(latency, '--latency', 0, 600_000) }
  if (Object.keys({ ...faults, ...latencyMs }).length === 0)
    throw usageFailure('Say which faults, such as send.rejected=0.1.')
  await context.print.record(
    await controlSimulator(context, 'PUT', '/faults', { ...faults, ...latencyMs }),
    faultColumns,
  )
}

async function clearFaults(context: Context): Promise<void> {
  await context.print.record(await controlSimulator(context, 'DELETE', '/faults'), faultColumns)
}

export function register(sim: Command, run: Run): void {
  registerNumbers(sim, run)
  registerPeople(sim, run)
  addVerb(sim, 'clock', 'show the time of the service', 'msgctl sim clock').action(run(clock))
  addVerb(sim, 'advance <time>', 'move the time of the service forward', 'msgctl sim advance 15m').action(run(advance))
  const faults = sim.command('faults').description('let the simulated network fail now and then')
  addVerb(
    faults,
    'set [faults...]',
    'set them: a share from 0 to 1 for each',
    'msgctl sim faults set send.timeout_not_sent=0.05',
    'msgctl sim faults set check.unreachable=0.5 --latency 300',
  )
    .option('--latency <ms>', 'how much slower every answer is, in milliseconds')
    .action(run(setFaults))
  addVerb(faults, 'clear', 'take them away', 'msgctl sim faults clear').action(run(clearFaults))
}

function registerNumbers(sim: Command, run: Run): void {
  addVerb(sim, 'scan [number]', 'scan the QR of a number', 'msgctl sim scan support --phone +12025550199')
    .option('--phone <phone>', 'the phone that scans')
    .action(run(scan))
  addVerb(sim, 'drop [number]', 'take the connection of a number away for a while', 'msgctl sim drop --seconds 90s')
    .option('--seconds <time>', 'for how long', '60s')
    .action(run(drop))
  const plain = {
    unlink: 'log a number out from its phone',
    'host-down': 'take the host of a number away',
    'host-up': 'bring the host of a number back',
  }
  for (const [verb, summary] of Object.entries(plain)) {
    addVerb(sim, `${verb} [number]`, summary, `msgctl sim ${verb} support`).action(
      run((context: Context, number: string | undefined) => move(context, verb, number)),
    )
  }
}

function registerPeople(sim: Command, run: Run): void {
  addVerb(
    sim,
    'inbound <phone> [text]',
    'let a person write to a number',
    'msgctl sim inbound +12025550111 "Are you open today?"',
    'msgctl sim inbound +12025550111 --type location --latitude 38.89 --longitude -77.03',
  )
    .option('--number <number>', 'the number that is written to; the default number without it')
    .addOption(new Option('--type <type>', 'what kind of message').choices(inboundTypes))
    .option('--caption <text>', 'the caption of a photo')
    .option('--latitude <degrees>', 'degrees north of a location')
    .option('--longitude <degrees>', 'degrees east of a location')
    .option('--button <id>', 'the button that was pressed')
    .option('--row <id>', 'the list row that was chosen')
    .option('--group <id>', 'the group it was written in')
    .action(run(inbound))
  for (const state of ['online', 'offline'] as const) {
    addVerb(
      sim,
      `${state} <phone>`,
      `turn the phone of a person ${state === 'online' ? 'on' : 'off'}`,
      `msgctl sim ${state} +12025550120`,
    ).action(run((context: Context, phone: string) => person(context, state, phone)))
  }
  addVerb(
    sim,
    'receipt <message> <status>',
    `give a message a receipt: ${statuses.join(', ')}`,
    'msgctl sim receipt 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 read',
  ).action(run(receipt))
  addVerb(
    sim,
    'transcript',
    'list what really reached phones',
    'msgctl sim transcript --phone +12025550100',
    'msgctl sim transcript --number support --json',
  )
    .option('--number <number>', 'only from this number')
    .option('--phone <phone>', 'only to this person')
    .action(run(transcript))
}
