import createClient from 'openapi-fetch'
import type { paths } from './generated/api.ts'

/** What a stranger's program saw who has nothing but the OpenAPI document. */
export interface Seen {
  readonly messageId: string
  readonly status: string
  readonly listed: readonly string[]
  /** The code of the error for a phone that is not on the network. */
  readonly refusal: string
}

const betweenReadsMs = 50

/**
 * Sends a text, waits until it is read, lists the messages, and writes to a phone that is not on the network. Every
 * call is typed by the document alone. Throws when a call is refused that should not be.
 */
export async function quickStart(baseUrl: string, apiKey: string, phone: string, unregistered: string): Promise<Seen> {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } })

  const { data: sent, error } = await client.POST('/alert/send', { body: { phone, message: 'hello' } })
  if (!sent) throw new Error(error.error.message)
  const { messageId } = sent

  let status: string = sent.status
  for (let reads = 0; status !== 'read' && reads < 400; reads++) {
    const { data } = await client.GET('/messages/{id}', { params: { path: { id: messageId } } })
    status = data?.message.status ?? status
    await new Promise((resolve) => setTimeout(resolve, betweenReadsMs))
  }

  const { data: page } = await client.GET('/messages', { params: { query: { status: 'read', limit: 10 } } })
  const listed = page?.messages.map(({ id }) => id) ?? []

  const refused = await client.POST('/alert/send', { body: { phone: unregistered, message: 'hello' } })
  return { messageId, status, listed, refusal: refused.error?.error.code ?? 'none' }
}
