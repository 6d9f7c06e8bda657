import type { MessagingClient } from '@msgctl/client'
import { isNumberKey } from '../../config/target.ts'
import type { Context } from '../../context.ts'

/** The status of a number with its label and phone, as tables show it. */
export async function readState(context: Context, client: MessagingClient, chosen: { readonly containerId?: string }) {
  const state = await client.numbers.status(chosen, { signal: context.host.signal })
  // An error from before the number worked again is history.
  const lastError = state.status === 'WORKING' ? null : state.manager.lastError
  const shown = { ...state, manager: { ...state.manager, lastError } }
  // The key of a number may not list the numbers.
  if (isNumberKey(context.target.credentials.apiKey)) return { label: null, phoneNumber: null, ...shown }
  const { sessions } = await client.numbers.list({}, { signal: context.host.signal })
  const number = sessions.find(({ id }) => id === state.containerId)
  return { label: number?.label ?? null, phoneNumber: number?.phoneNumber ?? null, ...shown }
}
