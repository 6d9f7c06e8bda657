import * as z from 'zod'
import { toBareId } from './address.ts'

const id = z.string().min(1).max(255)

/**
 * The three forms in which engines respond to a send: the id as text, an object with `_serialized`, or the key of the
 * message. Nothing else of the response is read.
 */
const sentMessage = z.object({
  id: z.union([id, z.object({ _serialized: id.optional(), id: id.optional() })]).nullish(),
  key: z.object({ id: id.nullish() }).nullish(),
  status: z.union([z.string(), z.number()]).nullish(),
})

/** What a response to a send says. */
export interface Sent {
  /** The bare id of the message; null when the response names none. */
  readonly networkId: string | null
  /** The engine responded before the network acknowledged the message. */
  readonly pending: boolean
}

/** Reads the response to a send. */
export function readSent(response: unknown): Sent {
  const parsed = sentMessage.safeParse(response)
  if (!parsed.success) return { networkId: null, pending: false }
  const { id, key, status } = parsed.data
  const named = typeof id === 'string' ? id : (id?._serialized ?? id?.id ?? key?.id ?? null)
  return { networkId: named === null ? null : toBareId(named), pending: status === 'PENDING' || status === 1 }
}
