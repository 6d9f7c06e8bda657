import type { Contact } from '@msgctl/contract'
import type { Caller } from '../http/handler.ts'
import type { ContactRow, ContactScope } from './store.ts'

/** A contact as the API shows it (specification, "Chats and contacts"). */
export function contactView({ savedName, networkName, ...row }: ContactRow): Contact {
  return { ...row, name: displayName({ savedName, networkName }) }
}

/** Under which name a person is shown: the saved one wins; null when there is none. */
export function displayName({ savedName, networkName }: Pick<ContactRow, 'savedName' | 'networkName'>): string | null {
  return savedName || networkName || null
}

/** Whose contacts a caller sees: a number's key those that its number knows. */
export function toContactScope({ organizationId, containerId }: Caller): ContactScope {
  return { organizationId, containerId }
}
