import type { MessagingClient } from '@msgctl/client'
import { limits } from '@msgctl/contract/limits'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { isApiError, toReport } from '../../errors/format-error.ts'
import { canPrompt } from '../../host.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import { type InvalidRowOptions, resolveInvalidRows, skipInvalidOption } from '../../input/invalid-rows.ts'
import { inParts } from '../../input/parts.ts'
import { duplicatesNote, type PhoneRow, readPhones, splitRows } from '../../input/phone-list.ts'
import { literalOption, requireNoPlaceholder } from '../../input/placeholders.ts'
import { readText } from '../../input/read-input.ts'
import { reportReadings } from '../../input/written-phone.ts'
import { defineColumns } from '../../output/columns.ts'
import { ProgressLine, progressText } from '../../output/progress.ts'
import { examples, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'

interface BatchOptions extends InvalidRowOptions {
  readonly file: string
  readonly priority?: 'high' | 'normal' | 'low'
  readonly from?: string
  readonly reference?: string
  readonly allOrNothing?: true
  readonly skipUnchecked?: true
  readonly idempotencyKey?: string
  readonly literal?: true
}

type Rows = ReturnType<typeof splitRows>
type Accepted = Rows['accepted']
type Queued = Awaited<ReturnType<MessagingClient['alert']['batch']>>

const columns = defineColumns(
  'line',
  // As the row was written: it may be no international number.
  { field: 'phone', title: 'To', show: String },
  'status, messageId as Message',
)

function recipients(count: number): string {
  return count === 1 ? '1 recipient' : `${count} recipients`
}

function duplicatesOf(count: number): string {
  return count === 1 ? '1 duplicate' : `${count} duplicates`
}

/** Decides about invalid rows, and throws when the batch cannot be sent. */
async function validateRows(context: Context, { accepted, errors }: Rows, options: BatchOptions): Promise<void> {
  const { file, allOrNothing, skipInvalid } = options
  if (allOrNothing && skipInvalid) throw usageFailure('--all-or-nothing cannot be combined with --skip-invalid.')
  if (accepted.length === 0 && errors.length === 0) {
    throw usageFailure(`${file === '-' ? 'The input on stdin' : `The file ${file}`} has no rows. Nothing was sent.`)
  }
  await resolveInvalidRows(context, { valid: accepted.length, errors }, options)
  if (accepted.length > limits.batchRecipients && allOrNothing) {
    throw usageFailure(
      `The list has ${accepted.length} recipients; --all-or-nothing allows ${limits.batchRecipients}.`,
      'Omit it, or use msgctl campaigns create, which has no such limit.',
    )
  }
}

/** Returns the phones that the network could not be queried about; null when the error is another one. */
function uncheckedOf(error: unknown): ReadonlySet<unknown> | null {
  if (!isApiError(error) || error.code !== 'NUMBER_VALIDATION_UNAVAILABLE') return null
  const { notChecked } = (error.details ?? {}) as { readonly notChecked?: unknown }
  return Array.isArray(notChecked) ? new Set<unknown>(notChecked) : null
}

/**
 * Queues one part of the list. When some of it cannot be checked, a person is asked whether to leave them out; scripts
 * have --skip-unchecked.
 */
async function queueOrAsk(...[context, client, accepted, part]: Parameters<typeof queuePart>): Promise<Queued> {
  const { options } = part
  try {
    return await queuePart(context, client, accepted, part)
  } catch (error) {
    const unchecked = uncheckedOf(error)
    if (!unchecked) throw error
    for (const { line, phone } of accepted) {
      if (unchecked.has(phone)) context.note(`line ${line}: ${phone} cannot be checked now`)
    }
    const others = accepted.length - unchecked.size
    if (others === 0 || options.skipUnchecked || options.allOrNothing) throw error
    if (context.options.yes || !canPrompt(context.host)) {
      context.note(`--skip-unchecked sends to the other ${others}.`)
      throw error
    }
    await context.confirm(`${recipients(unchecked.size)} cannot be checked now. Send to the other ${others}?`)
    return queuePart(context, client, accepted, { ...part, options: { ...options, skipUnchecked: true } })
  }
}

async function queuePart(
  context: Context,
  client: MessagingClient,
  accepted: Accepted,
  { text, options, key }: { readonly text: string; readonly options: BatchOptions; readonly key: string | undefined },
): Promise<Queued> {
  const input = {
    recipients: accepted.map(({ phone }) => phone),
    message: text,
    skipInvalidNumbers: options.allOrNothing !== true,
    ...(options.skipUnchecked && { skipUnchecked: true }),
    ...(options.priority && { priority: options.priority }),
    ...(options.reference !== undefined && { clientReference: options.reference }),
    ...(await optionalContainerId(client, options.from)),
  }
  const { data, response } = await client.alert.batch.withResponse(input, {
    idempotencyKey: key,
    signal: context.host.signal,
  })
  noteReplay(context, response)
  return data
}

/** What was queued, and the error that ended it before all parts were, if any. */
interface QueuedParts {
  readonly messages: Queued['messages']
  /** The phones that could not be checked, and were left out. */
  readonly notChecked: ReadonlySet<string>
  /** The phones that the service found twice. */
  readonly duplicates: number
  readonly failure?: unknown
}

/** Queues the list in parts. Each part has an idempotency key of its own. Throws the error of the first part. */
async function queueAll(context: Context, text: string, list: Rows, options: BatchOptions): Promise<QueuedParts> {
  const client = await context.client()
  const key = validateKey(options.idempotencyKey)
  const parts = inParts(list.accepted, limits.batchRecipients)
  const line = new ProgressLine(context.host, parts.length === 1 || context.print.isMachineReadable)
  const messages: Queued['messages'][number][] = []
  const notChecked = new Set<string>()
  let duplicates = 0
  let done = 0
  try {
    for (const [index, part] of parts.entries()) {
      const partKey = key === undefined || index === 0 ? key : `${key}.${index + 1}`
      const queued = await queueOrAsk(context, client, part, { text, options, key: partKey })
      messages.push(...queued.messages)
      for (const phone of queued.notChecked ?? []) notChecked.add(phone)
      // Services before this field leave it out.
      duplicates += queued.duplicates ?? 0
      done += part.length
      const progress = { done, failed: done - messages.length, total: list.accepted.length }
      line.show(progressText('queued', progress, undefined, line.columns), false)
    }
    return { messages, notChecked, duplicates }
  } catch (error) {
    if (messages.length === 0) throw error
    return { messages, notChecked, duplicates, failure: error }
  } finally {
    line.end()
  }
}

/** Adds a note with the line of each number for which the service rejected the batch. */
function reportRejected(context: Context, { accepted }: Rows, error: unknown): void {
  const { details } = (error ?? {}) as { readonly details?: { readonly invalidNumbers?: unknown } }
  if (!Array.isArray(details?.invalidNumbers)) return
  const refused = new Set<unknown>(details.invalidNumbers)
  for (const { line, phone } of accepted) {
    if (refused.has(phone)) context.note(`line ${line}: ${phone} is not on the network`)
  }
}

/** Returns one record for each row, in the order of the file. */
function outcomes(rows: readonly PhoneRow[], { messages, notChecked, failure }: QueuedParts) {
  const byPhone = new Map(messages.map((message) => [message.phone, message]))
  return rows.map(({ line, text, phone }) => {
    if (phone === null) return { line, phone: text, status: 'invalid_format', messageId: null, containerId: null }
    const message = byPhone.get(phone)
    const skipped = notChecked.has(phone) ? 'not_checked' : 'not_on_network'
    const unsent = failure === undefined ? skipped : 'not_queued'
    if (!message) return { line, phone, status: unsent, messageId: null, containerId: null }
    return { line, phone, status: 'queued', messageId: message.messageId, containerId: message.containerId }
  })
}

/** The error of a list of which a part was queued. */
function stopped(error: unknown, count: number): CliError {
  const { code, message, requestId } = toReport(error)
  return new CliError(`Only ${recipients(count)} were queued: ${message}`, {
    code: 'PARTLY_QUEUED',
    exitCode: exitCodes.partlyDone,
    advice: 'Send the rows with the status not_queued again; the others are queued already.',
    details: { reason: { code, message, requestId } },
  })
}

async function batch(context: Context, text: string, options: BatchOptions): Promise<number> {
  if (text === '-' && options.file === '-') throw usageFailure('The text and the phones cannot both come from stdin.')
  const { rows, duplicates } = await readPhones(context.host, options.file)
  const message = await readText(context.host, text)
  requireNoPlaceholder(
    message,
    options.literal,
    'Use msgctl campaigns create for a text with placeholders, or pass --literal.',
  )
  const list = splitRows(rows)
  for (const note of duplicatesNote(duplicates)) context.note(note)
  await validateRows(context, list, options)
  await reportReadings(context, list.accepted, { asksLater: true })
  await context.confirm(`Send this text to ${recipients(list.accepted.length)}?`)
  const queued = await queueAll(context, message, list, options).catch((error: unknown) => {
    reportRejected(context, list, error)
    throw error
  })
  const results = outcomes(rows, queued)
  await context.print.list(results, columns)
  const count = queued.messages.length
  const skipped = results.length - count
  const repeated = duplicates + queued.duplicates
  const left = [skipped > 0 ? `${skipped} skipped` : [], repeated > 0 ? duplicatesOf(repeated) : []].flat()
  context.note(`${[`Queued for ${recipients(count)}`, ...left].join(', ')}.`)
  if (queued.failure !== undefined) throw stopped(queued.failure, count)
  return skipped === 0 ? exitCodes.ok : exitCodes.partlyDone
}

export function register(command: Command, run: Run): void {
  examples(
    command,
    'msgctl batch "We are closed today" --file people.txt',
    'msgctl batch "We are closed today" --file people.csv --skip-invalid --yes',
    'grep Berlin customers.csv | msgctl batch "The shop in Berlin moves" --file - --dry-run',
  )
    .argument('<text>', 'text, or - to read it from stdin')
    .requiredOption('--file <file>', 'one phone per line, or CSV with a column phone; - for stdin')
    .option(...skipInvalidOption)
    .option('--all-or-nothing', 'send nothing if any phone is not on the network (default: skip it)')
    .option('--skip-unchecked', 'leave out those that the network cannot be queried about now, and send to the others')
    .addOption(
      new Option('--priority <level>', 'priority in the queue (default: normal)').choices(['high', 'normal', 'low']),
    )
    .option('--from <number>', 'send through this number: id, label or phone')
    .option('--reference <text>', 'your own reference, included in messages and events')
    .option(...literalOption)
    .option(...idempotencyOption)
    .addHelpText('after', '\nExit code: 0 queued for all, 9 some rows were skipped.')
    .action(run(batch))
}
