import type { MessagingClient } from '@msgctl/client'
import { limits } from '@msgctl/contract/limits'
import { normalizePhone } from '@msgctl/contract/phone'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { addVerb, type Run } from '../../program.ts'
import { columns } from './columns.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Resolves a contact by id, phone or network id. Throws a CliError if it does not exist. */
async function resolveContactId(client: MessagingClient, reference: string): Promise<string> {
  if (uuid.test(reference)) return reference.toLowerCase()
  const address = normalizePhone(reference, { lid: true })
  if (address === null) throw usageFailure(`${reference} is neither a contact id nor a phone.`)
  const { contacts } = await client.contacts.search({ search: address, limit: limits.contactSearch.max })
  const found = contacts.find(({ phone, lid }) => phone === address || lid === address)
  if (found) return found.id
  throw new CliError(`Contact ${reference} not found.`, {
    code: 'NOT_FOUND',
    exitCode: exitCodes.notFound,
    advice: 'Search by name or part of the number with: msgctl contacts search TEXT',
  })
}

async function setOptedOut(context: Context, reference: string, optedOut: boolean): Promise<void> {
  const client = await context.client()
  const { contact } = await client.contacts.update({ id: await resolveContactId(client, reference), optedOut })
  await context.print.record(contact, columns)
}

/** Adds `contacts opt-out` and `contacts opt-in`. */
export function registerOptOut(contacts: Command, run: Run): void {
  addVerb(
    contacts,
    'opt-out <contact>',
    'exclude a contact from campaigns',
    'msgctl contacts opt-out +12025550100',
    'msgctl contacts opt-out 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ).action(run((context: Context, reference: string) => setOptedOut(context, reference, true)))
  addVerb(
    contacts,
    'opt-in <contact>',
    'include a contact in campaigns again',
    'msgctl contacts opt-in +12025550100',
  ).action(run((context: Context, reference: string) => setOptedOut(context, reference, false)))
}
