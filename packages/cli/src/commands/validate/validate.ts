import type { MessagingClient } from '@msgctl/client'
import { normalizePhone } from '@msgctl/contract/phone'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { inParts } from '../../input/parts.ts'
import { duplicatesNote, type PhoneList, type PhoneRow, readPhones, typedPhones } from '../../input/phone-list.ts'
import { describeReadings } from '../../input/written-phone.ts'
import { type Column, defineColumns } from '../../output/columns.ts'
import { ProgressLine, progressText } from '../../output/progress.ts'
import { examples, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'

interface ValidateOptions {
  readonly file?: string
  readonly from?: string
}

/** The result of one row. */
interface RowResult {
  readonly line: number | null
  readonly phone: string
  readonly status: 'valid' | 'not_asked' | 'not_on_network' | 'invalid_format'
  readonly chatId: string | null
}

const columns = defineColumns(
  // As the row was written: it may be no international number.
  { field: 'phone', title: 'Phone', show: String },
  'status, chatId as Address',
)
const line: Column = { field: 'line', title: 'Line' }

async function listFrom(context: Context, phones: readonly string[], file: string | undefined): Promise<PhoneList> {
  const stdin = phones.length === 1 && phones[0] === '-'
  if (file !== undefined && phones.length > 0) throw usageFailure('Phones cannot be combined with --file.')
  if (file !== undefined || stdin) return readPhones(context.host, file ?? '-')
  if (phones.length === 0) throw usageFailure('Pass phones, or a file with --file.', 'See msgctl validate --help')
  return typedPhones(phones)
}

type Result = Pick<RowResult, 'status' | 'chatId'>

/** Small enough that a part takes seconds, so that the progress moves. */
const partSize = 500
/** The number checks a limited number of phones a minute; waiting rounds in which none was checked end the command. */
const idleRounds = 2
const pauseMs = 15_000

/**
 * Queries the network in parts and returns the result by phone. Phones that could not be checked yet are queried again
 * after a pause, because a number checks only so many a minute.
 */
async function queryNetwork(context: Context, rows: readonly PhoneRow[], from: string | undefined) {
  const { host, print, options } = context
  const phones = rows.flatMap(({ phone }) => phone ?? [])
  const results = new Map<string, Result>()
  if (phones.length === 0) return results
  const client = await context.client()
  const through = await optionalContainerId(client, from)
  const line = new ProgressLine(host, print.isMachineReadable || options.quiet === true)
  const began = host.now()
  const show = (important = false) => {
    if (phones.length > partSize || host.now() - began > 2000) {
      const progress = { done: results.size, failed: 0, total: phones.length }
      line.show(progressText('checking', progress, undefined, line.columns), important)
    }
  }
  // On a terminal at once, because the first part may take long.
  if (line.columns !== undefined) show()
  try {
    for (let idle = 0; ; ) {
      const before = results.size
      const left = phones.filter((phone) => !results.has(phone))
      for (const part of inParts(left, partSize)) {
        await addResults(client, { phones: part, ...through }, results, host.signal)
        show()
        // Nothing more can be checked in this minute.
        if (part.some((phone) => !results.has(phone))) break
      }
      idle = results.size > before ? 0 : idle + 1
      if (results.size === phones.length || idle === idleRounds) return results
      await host.wait(pauseMs, host.signal)
      host.signal.throwIfAborted()
    }
  } finally {
    // A log must not end with a part of the list that is still being checked.
    if (line.isShown) show(true)
    line.end()
  }
}

type Input = Parameters<MessagingClient['recipients']['validate']>[0]

/** Adds the results of one part; phones without a result are left out. */
async function addResults(
  client: MessagingClient,
  input: Input,
  results: Map<string, Result>,
  signal: AbortSignal,
): Promise<void> {
  const { validNumbers, invalidNumbers } = await client.recipients.validate(input, { signal })
  for (const { phone, chatId } of validNumbers) if (chatId !== '') results.set(phone, { status: 'valid', chatId })
  for (const { phone, code } of invalidNumbers) results.set(phone, { status: code, chatId: null })
}

function validateRows(rows: readonly PhoneRow[], results: Awaited<ReturnType<typeof queryNetwork>>): RowResult[] {
  return rows.map(({ line: at, text, phone }) => {
    const known = phone === null ? undefined : results.get(phone)
    const result = known ?? ({ status: phone === null ? 'invalid_format' : 'not_asked', chatId: null } as const)
    return { line: at, phone: phone ?? text, ...result }
  })
}

/** Returns whether a row has a number that is one only within a country. */
function isLocal({ phone, text }: PhoneRow): boolean {
  return phone === null && normalizePhone(text, { lid: true }) !== null
}

function summary(results: readonly RowResult[]): string {
  const words = {
    valid: 'on the network',
    not_asked: 'not checked',
    not_on_network: 'not on the network',
    invalid_format: 'not a phone number',
  } as const
  const counts = Object.entries(words).map(([status, word]) => {
    const count = results.filter((result) => result.status === status).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  return counts.flat().join(', ')
}

async function validate(context: Context, phones: readonly string[], { file, from }: ValidateOptions): Promise<number> {
  const { rows, duplicates } = await listFrom(context, phones, file)
  if (rows.length === 0) throw usageFailure('The list contains no phone.')
  const readings = describeReadings(rows)
  if (readings !== undefined) context.warn(readings)
  const results = validateRows(rows, await queryNetwork(context, rows, from))
  for (const note of duplicatesNote(duplicates)) context.note(note)
  for (const { line: at, fault } of rows.filter(isLocal))
    context.note(at === null ? `${fault}` : `line ${at}: ${fault}`)
  await context.print.list(results, phones.length > 0 && phones[0] !== '-' ? columns : [line, ...columns])
  context.note(summary(results))
  if (results.some(({ status }) => status === 'not_asked')) {
    context.note('Repeat the command to check the others; known results are not queried again.')
  }
  if (results.every(({ status }) => status === 'valid')) return exitCodes.ok
  const mayBe = results.some(({ status }) => status === 'valid' || status === 'not_asked')
  return mayBe ? exitCodes.partlyDone : exitCodes.usage
}

export function register(command: Command, run: Run): void {
  examples(
    command,
    'msgctl validate +12025550100 +12025550101',
    'msgctl validate --file people.csv --output csv > checked.csv',
    'cut -f2 customers.tsv | msgctl validate - --json --fields phone,status',
  )
    .argument('[phones...]', 'international phone numbers, or - to read them from stdin')
    .option('--file <file>', 'one phone per line, or CSV with a column phone; - for stdin')
    .option('--from <number>', 'check through this number: id, label or phone')
    .addHelpText('after', '\nExit code: 0 all are on the network, 9 some are, 2 none are.')
    .action(run(validate))
}
