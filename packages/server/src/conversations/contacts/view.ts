import type { Contact } from '@msgctl/contract'
import type { Caller } from '#api/http/handler.ts'
import { recipientPart } from '#sending/messages/history/search.ts'
import type { ContactRow, ContactScope } from './store.ts'

/** Returns a contact as the API shows it (specification, "Chats and contacts"). */
export function contactView({ savedName, networkName, ...row }: ContactRow): Contact {
  return { ...row, name: displayName({ savedName, networkName }) }
}

/** Returns the saved name of a contact, otherwise the network name, otherwise null. */
export function displayName({ savedName, networkName }: Pick<ContactRow, 'savedName' | 'networkName'>): string | null {
  return savedName || networkName || null
}

/**
 * What a search compares with names and with numbers. A hidden id is searched without its suffix, which all of them
 * have.
 */
export function toSearchParts(typed: string): { readonly name: string; readonly number: string } {
  const name = typed.normalize('NFC').replace(/(?<=\d)@lid$/i, '')
  return { name, number: recipientPart(name) }
}

/** Returns the contacts that a caller sees: with a number's key, those that its number knows. */
export function toContactScope({ organizationId, containerId }: Caller): ContactScope {
  return { organizationId, containerId }
}
