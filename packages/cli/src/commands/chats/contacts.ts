import type { MessagingClient } from '@msgctl/client'
import { limits } from '@msgctl/contract/limits'
import { normalizePhone } from '@msgctl/contract/phone'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { type ReadOptions, readWithin } from '../../http/polling.ts'
import { secondsFrom, wholeFrom } from '../../input/duration.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/number-reference.ts'

const columns: readonly Column[] = [
  { field: 'name', title: 'Name' },
  { field: 'phone', title: 'Phone' },
  { field: 'lid', title: 'Network id' },
  { field: 'saved', title: 'Saved' },
  { field: 'optedOut', title: 'Opted out' },
  { field: 'id', title: 'Contact' },
]

const countColumns: readonly Column[] = [
  { field: 'count', title: 'Contacts' },
  { field: 'importing', title: 'Importing' },
  { field: 'historyImportedAt', title: 'History imported' },
]

const syncColumns: readonly Column[] = [
  { field: 'contacts', title: 'Contacts' },
  { field: 'saved', title: 'Saved' },
  { field: 'lidsLinked', title: 'People brought together' },
  { field: 'messagesLinked', title: 'Messages linked' },
  { field: 'importing', title: 'Importing' },
]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const pollMs = 2_000

async function search(context: Context, text: string, { limit }: { readonly limit?: string }): Promise<void> {
  const { max, default: usual } = limits.contactSearch
  const rows = wholeFrom(limit ?? String(usual), '--limit', 1, max)
  const client = await context.client()
  const { contacts } = await client.contacts.search({ search: text, limit: rows }, { signal: context.host.signal })
  await context.print.list(contacts, columns)
}

async function count(context: Context): Promise<void> {
  const client = await context.client()
  const { success: _always, ...counted } = await client.contacts.count()
  await context.print.record(counted, countColumns)
}

interface SyncOptions {
  readonly number?: string
  readonly wait?: true
  readonly timeout: string
}

/** Waits until recent chats have been imported. Throws a CliError when `timeoutMs` are over before. */
async function waitForImport(context: Context, client: MessagingClient, timeoutMs: number): Promise<void> {
  const { host } = context
  const end = host.now() + timeoutMs
  const look = (how: ReadOptions) => client.contacts.count({}, how)
  while ((await readWithin(context, end, look)).importing) {
    if (host.now() >= end) {
      throw new CliError('Time is up and recent chats are still being imported.', {
        code: 'WAIT_TIMED_OUT',
        exitCode: exitCodes.waitTimedOut,
        advice: 'msgctl contacts count shows when it is done.',
      })
    }
    await host.wait(Math.min(pollMs, end - host.now()), host.signal)
    host.signal.throwIfAborted()
  }
}

async function sync(context: Context, { number, wait, timeout }: SyncOptions): Promise<void> {
  const timeoutMs = secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const through = await optionalContainerId(client, number)
  const { success: _always, ...synced } = await client.contacts.sync(through, { signal: context.host.signal })
  if (!wait || !synced.importing) return context.print.record(synced, syncColumns)
  context.note('Recent chats are being imported.')
  await waitForImport(context, client, timeoutMs).catch(async (error: unknown) => {
    await context.print.record(synced, syncColumns)
    throw error
  })
  await context.print.record({ ...synced, importing: false }, syncColumns)
}

/** The contact that a person means by an id, a phone or a network id. Throws a CliError when there is none. */
async function contactIdOf(client: MessagingClient, reference: string): Promise<string> {
  if (uuid.test(reference)) return reference.toLowerCase()
  const person = normalizePhone(reference, { lid: true })
  if (person === null) throw usageFailure(`${reference} is neither the id of a contact nor a phone.`)
  const { contacts } = await client.contacts.search({ search: person, limit: limits.contactSearch.max })
  const found = contacts.find(({ phone, lid }) => phone === person || lid === person)
  if (found) return found.id
  throw new CliError(`There is no contact ${reference}.`, {
    code: 'NOT_FOUND',
    exitCode: exitCodes.notFound,
    advice: 'msgctl contacts search TEXT looks for a name or a part of the number.',
  })
}

async function change(context: Context, reference: string, optedOut: boolean): Promise<void> {
  const client = await context.client()
  const { contact } = await client.contacts.update({ id: await contactIdOf(client, reference), optedOut })
  await context.print.record(contact, columns)
}

async function setKeywords(
  context: Context,
  keywords: readonly string[],
  { none }: { readonly none?: true },
): Promise<void> {
  if (none && keywords.length > 0) throw usageFailure('Give words or --none, not both.')
  const client = await context.client()
  const isChange = none || keywords.length > 0
  if (isChange)
    await context.confirm(none ? 'Remove all stop words of your own?' : 'Replace the stop words of your own?')
  const answer = isChange
    ? await client.contacts.setOptOutWords({ words: [...keywords] })
    : await client.contacts.optOutWords()
  const list = answer.words.map((word) => ({ word }))
  await context.print.list(list, [{ field: 'word', title: 'Word' }])
  context.note('STOP and UNSUBSCRIBE always count; START lets a person in again.')
}

export function register(contacts: Command, run: Run): void {
  const { max, default: usual } = limits.contactSearch
  addVerb(
    contacts,
    'search <text>',
    'look for people by name or part of the number',
    'msgctl contacts search Jane',
    'msgctl contacts search 555 --limit 50 --output csv',
  )
    .option('--limit <people>', `people at most, up to ${max} (default ${usual})`)
    .action(run(search))
  addVerb(contacts, 'count', 'count the contacts', 'msgctl contacts count').action(run(count))
  addVerb(
    contacts,
    'sync',
    'read the address book anew and import recent chats',
    'msgctl contacts sync',
    'msgctl contacts sync --number support --wait',
  )
    .option('--number <number>', 'of this number: its id, label or phone')
    .option('--wait', 'wait until recent chats are imported')
    .option('--timeout <time>', 'how long to wait', '10m')
    .action(run(sync))
  addVerb(
    contacts,
    'opt-out <contact>',
    'leave a person out of campaigns',
    'msgctl contacts opt-out +12025550100',
    'msgctl contacts opt-out 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ).action(run((context: Context, reference: string) => change(context, reference, true)))
  addVerb(
    contacts,
    'opt-in <contact>',
    'let a person get campaigns again',
    'msgctl contacts opt-in +12025550100',
  ).action(run((context: Context, reference: string) => change(context, reference, false)))
  addVerb(
    contacts,
    'words [words...]',
    'show the words by which people opt out, or replace them',
    'msgctl contacts words',
    'msgctl contacts words ABMELDEN "KEINE WERBUNG" --yes',
    'msgctl contacts words --none --yes',
  )
    .option('--none', 'have no words of your own')
    .action(run(setKeywords))
}
