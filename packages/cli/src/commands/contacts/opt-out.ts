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

/** Adds `contacts opt-out` and `contacts opt-in`. */
export function registerOptOut(contacts: Command, run: Run): void {
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
}
