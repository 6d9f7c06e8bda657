import type { MessagingClient } from '@msgctl/client'
import { limits } from '@msgctl/contract/limits'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { checkedKey, idempotencyOption, noteReplay } from '../../http/idempotency.ts'
import { duplicatesNote, type PhoneRow, readPhones } from '../../input/phone-list.ts'
import { readText } from '../../input/read-input.ts'
import type { Column } from '../../output/columns.ts'
import { sanitizeLine } from '../../output/sanitize.ts'
import { examples, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'

interface BatchOptions {
  readonly file: string
  readonly priority?: 'high' | 'normal' | 'low'
  readonly from?: string
  readonly reference?: string
  readonly allOrNothing?: true
  readonly idempotencyKey?: string
}

/** Rows of a file, told apart before anything is sent. */
interface Sorted {
  readonly accepted: readonly (PhoneRow & { readonly phone: string })[]
  readonly rejected: readonly PhoneRow[]
}

type Queued = Awaited<ReturnType<MessagingClient['alert']['batch']>>

const columns: readonly Column[] = [
  { field: 'line', title: 'Line' },
  { field: 'phone', title: 'To' },
  { field: 'status', title: 'Status' },
  { field: 'messageId', title: 'Message' },
]

function splitRows(rows: readonly PhoneRow[]): Sorted {
  const accepted = rows.flatMap(({ phone, ...row }) => (phone === null ? [] : [{ ...row, phone }]))
  return { accepted, rejected: rows.filter(({ phone }) => phone === null) }
}

function people(count: number): string {
  return count === 1 ? '1 person' : `${count} people`
}

function lines(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`
}

function badRow({ line, text }: PhoneRow): string {
  return `line ${line}: ${text === '' ? 'there is no phone number' : `${sanitizeLine(text)} is not a phone number`}`
}

/** Tells every bad row with its line, and throws when the batch cannot be sent as it is. */
function validateRows(context: Context, { accepted, rejected }: Sorted, { file, allOrNothing }: BatchOptions): void {
  for (const row of rejected) context.note(badRow(row))
  const rows = rejected.map(({ line, text }) => ({ line, phone: text }))
  if (accepted.length === 0) {
    throw new CliError(`No line of ${file === '-' ? 'stdin' : file} holds a phone number. Nothing was sent.`, {
      code: 'USAGE',
      exitCode: exitCodes.usage,
      details: { rows },
    })
  }
  if (rejected.length > 0 && allOrNothing) {
    throw new CliError(`Not a phone number: ${lines(rejected.length)}. Nothing was sent.`, {
      code: 'USAGE',
      exitCode: exitCodes.usage,
      advice: 'Mend them, or leave --all-or-nothing out to skip them.',
      details: { rows },
    })
  }
  if (accepted.length > limits.batchRecipients) {
    throw usageFailure(`These are ${accepted.length} people; one batch goes to ${limits.batchRecipients} at most.`)
  }
}

async function queue(context: Context, text: string, { accepted }: Sorted, options: BatchOptions): Promise<Queued> {
  const client = await context.client()
  const input = {
    recipients: accepted.map(({ phone }) => phone),
    message: text,
    skipInvalidNumbers: options.allOrNothing !== true,
    ...(options.priority && { priority: options.priority }),
    ...(options.reference !== undefined && { clientReference: options.reference }),
    ...(await optionalContainerId(client, options.from)),
  }
  const { data, response } = await client.alert.batch.withResponse(input, {
    idempotencyKey: checkedKey(options.idempotencyKey),
    signal: context.host.signal,
  })
  noteReplay(context, response)
  return data
}

/** Tells the lines of the numbers for which the service refused the whole batch. */
function reportRejected(context: Context, { accepted }: Sorted, error: unknown): void {
  const { details } = (error ?? {}) as { readonly details?: { readonly invalidNumbers?: unknown } }
  if (!Array.isArray(details?.invalidNumbers)) return
  const refused = new Set<unknown>(details.invalidNumbers)
  for (const { line, phone } of accepted) {
    if (refused.has(phone)) context.note(`line ${line}: ${phone} is not on the network`)
  }
}

/** One record for each row, in the order of the file. */
function outcomes(rows: readonly PhoneRow[], { messages }: Queued) {
  const byPhone = new Map(messages.map((message) => [message.phone, message]))
  return rows.map(({ line, text, phone }) => {
    if (phone === null) return { line, phone: text, status: 'invalid_format', messageId: null, containerId: null }
    const message = byPhone.get(phone)
    if (!message) return { line, phone, status: 'not_on_network', messageId: null, containerId: null }
    return { line, phone, status: 'queued', messageId: message.messageId, containerId: message.containerId }
  })
}

async function batch(context: Context, text: string, options: BatchOptions): Promise<number> {
  if (text === '-' && options.file === '-') throw usageFailure('The text and the phones cannot both come from stdin.')
  const { rows, duplicates } = await readPhones(context.host, options.file)
  const message = await readText(context.host, text)
  const list = splitRows(rows)
  for (const note of duplicatesNote(duplicates)) context.note(note)
  validateRows(context, list, options)
  const skipping = list.rejected.length === 0 ? '' : ` Skipped: ${lines(list.rejected.length)}.`
  await context.confirm(`Send this text to ${people(list.accepted.length)}?${skipping}`)
  const queued = await queue(context, message, list, options).catch((error: unknown) => {
    reportRejected(context, list, error)
    throw error
  })
  const results = outcomes(rows, queued)
  await context.print.list(results, columns)
  const skipped = results.length - queued.count
  context.note(`Queued for ${people(queued.count)}${skipped === 0 ? '.' : `, ${skipped} skipped.`}`)
  return skipped === 0 ? exitCodes.ok : exitCodes.partlyDone
}

export function register(command: Command, run: Run): void {
  examples(
    command,
    'msgctl batch "We are closed today" --file people.txt',
    'msgctl batch "We are closed today" --file people.csv --all-or-nothing --yes',
    'grep Berlin customers.csv | msgctl batch "The shop in Berlin moves" --file - --dry-run',
  )
    .argument('<text>', 'the text, or - to read it from stdin')
    .requiredOption('--file <file>', 'a phone in each line, or CSV with a column named phone; - for stdin')
    .option('--all-or-nothing', 'send to nobody when a single row is no phone number, or not on the network')
    .addOption(new Option('--priority <level>', 'its place in the queue').choices(['high', 'normal', 'low']))
    .option('--from <number>', 'send through this number: its id, label or phone')
    .option('--reference <text>', 'your own reference, echoed in messages and events')
    .option(...idempotencyOption('send'))
    .addHelpText('after', '\nExit code: 0 queued for all, 9 some rows were skipped.')
    .action(run(batch))
}
