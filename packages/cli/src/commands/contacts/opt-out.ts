import type { MessagingClient } from '@msgctl/client'
import { limits } from '@msgctl/contract/limits'
import { normalizePhone } from '@msgctl/contract/phone'
import type { Context } from '../../context.ts'
import { notFound, usageFailure } from '../../errors/exit-codes.ts'
import { isId } from '../../input/id-prefix.ts'
import {
  exitCodeFor,
  type InvalidRowOptions,
  leftOutHelp,
  resolveInvalidRows,
  skipInvalidOption,
} from '../../input/invalid-rows.ts'
import { inParts } from '../../input/parts.ts'
import { duplicatesNote, readPhones, splitRows } from '../../input/phone-list.ts'
import { reportReadings } from '../../input/written-phone.ts'
import { defineColumns } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { verb, verbs } from '../../program.ts'
import { columns } from './list.ts'

const optOutColumns = defineColumns('name, phone, lid as Network id, optedAt as Since, id as Contact')

/** Resolves a contact by id, phone or network id. Throws a CliError if it does not exist. */
async function resolveContactId(client: MessagingClient, reference: string): Promise<string> {
  if (isId(reference)) return reference.toLowerCase()
  const address = normalizePhone(reference, { lid: true })
  if (address === null) throw usageFailure(`${reference} is neither a contact id nor a phone.`)
  const { contacts } = await client.contacts.search({ search: address, limit: limits.contactSearch.max })
  const found = contacts.find(({ phone, lid }) => phone === address || lid === address)
  if (found) return found.id
  throw notFound(
    `Contact ${reference} not found.`,
    'Search by name or part of the number with: msgctl contacts search TEXT',
  )
}

async function setOptedOut(context: Context, reference: string, optedOut: boolean): Promise<void> {
  const client = await context.client()
  const { contact } = await client.contacts.update({ id: await resolveContactId(client, reference), optedOut })
  await context.print.record(contact, columns)
}

interface OptOutOptions extends InvalidRowOptions {
  readonly file?: string
}

/** Opts one contact out, or every phone of a file. */
async function optOut(
  context: Context,
  reference: string | undefined,
  options: OptOutOptions,
): Promise<number | undefined> {
  const { file } = options
  if ((reference === undefined) === (file === undefined)) {
    throw usageFailure('Name a contact, or a list with --file.')
  }
  if (file !== undefined) return optOutAll(context, file, options)
  await setOptedOut(context, reference ?? '', true)
  return undefined
}

async function optOutAll(context: Context, file: string, options: InvalidRowOptions): Promise<number> {
  const { rows, duplicates } = await readPhones(context.host, file, { lid: false })
  for (const note of duplicatesNote(duplicates)) context.note(note)
  if (rows.length === 0) {
    throw usageFailure('The list has no phones.', 'Write one phone a line, or CSV with a column phone.')
  }
  const { accepted, errors } = splitRows(rows)
  await resolveInvalidRows(context, { valid: accepted.length, errors }, options)
  await reportReadings(context, accepted, { asksLater: true })
  await context.confirm(`Exclude ${accepted.length === 1 ? '1 person' : `${accepted.length} people`} from campaigns?`)
  const client = await context.client()
  let [optedOut, already] = [0, 0]
  for (const part of inParts(accepted, limits.optOutPhones)) {
    const phones = part.map(({ phone }) => phone)
    const result = await client.contacts.addOptOuts({ phones }, { signal: context.host.signal })
    optedOut += result.optedOut
    already += result.already
  }
  await context.print.record(
    { optedOut, already },
    defineColumns('optedOut as Opted out now, already as Opted out before'),
  )
  return exitCodeFor(errors)
}

/** Lists the contacts who refuse campaigns. */
async function optOuts(context: Context, paging: ListOptions): Promise<void> {
  const client = await context.client()
  const rows = listRows(context, paging, client.contacts.optOuts, {})
  await context.print.list(rows, optOutColumns, 'No contact has opted out.')
}

/** `contacts opt-out`, `contacts opt-in` and `contacts opt-outs`. */
export const optOutVerbs = verbs(
  verb(
    'opt-out [contact]',
    'exclude a contact, or everyone on a list, from campaigns',
    optOut,
    [
      'msgctl contacts opt-out +12025550100',
      'msgctl contacts opt-out 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
      'msgctl contacts opt-out --file refused.csv --yes',
    ],
    (command) =>
      command
        .option('--file <file>', 'one phone per line, or CSV with a column phone; - for stdin')
        .option(...skipInvalidOption)
        .addHelpText('after', leftOutHelp),
  ),
  verb(
    'opt-in <contact>',
    'include a contact in campaigns again',
    (context: Context, reference: string) => setOptedOut(context, reference, false),
    ['msgctl contacts opt-in +12025550100'],
  ),
  verb(
    'opt-outs',
    'list the contacts who refuse campaigns, the latest decision first',
    optOuts,
    ['msgctl contacts opt-outs', 'msgctl contacts opt-outs --all --output csv --fields phone'],
    (command) => listOptions(command),
  ),
)
