import { limits } from '@msgctl/contract'

/** The only revision with batches: it requires servers to take them. A client that names none speaks it. */
const revisionWithBatches = '2025-03-26'
const invalidRequest = -32_600
const { batchMessages } = limits.mcp

/** Returns how many messages a body of JSON-RPC holds: each of them is a request like one that comes alone. */
export function countMessages(body: unknown): number {
  return Array.isArray(body) ? body.length : 1
}

/** Returns the protocol's error for a batch that is not taken; null for every other body. */
export function refusalOfBatch(body: unknown, revision: string | undefined) {
  if (!Array.isArray(body)) return null
  const message = faultOf(body.length, revision)
  return message === null ? null : { jsonrpc: '2.0', id: null, error: { code: invalidRequest, message } }
}

function faultOf(messages: number, revision = revisionWithBatches): string | null {
  if (revision !== revisionWithBatches) return `Invalid Request: revision ${revision.slice(0, 32)} has no batches`
  if (messages === 0) return 'Invalid Request: the batch is empty'
  return messages > batchMessages ? `Invalid Request: a batch has at most ${batchMessages} messages` : null
}
