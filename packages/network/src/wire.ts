import { createHmac, timingSafeEqual } from 'node:crypto'

/** The purpose of the key that signs calls, derived from SECRETS_KEYS on both sides. */
export const rpcKeyPurpose = 'gateway-rpc'

/** How far the clocks of a server and a gateway host may differ. */
const clockToleranceMs = 60_000

/** The largest head of a call; files follow it and have no limit here. */
export const maxHeadBytes = 1_048_576

/** The largest file of a received message that a host fetches, which is what the service hands out. */
export const maxFileBytes = 100 * 1024 * 1024

/** How long a host may take to fetch such a file from the network. It hands the file on when it is complete. */
export const fileDeadlineMs = 40_000

export const timeHeader = 'x-gateway-time'
export const signatureHeader = 'x-gateway-signature'

/**
 * The status of a response for a number that the host does not own. Not 421, after which fetch repeats the call itself.
 */
export const notOwnedStatus = 410

/** Returns the start of the body of a call: the length of the head in four bytes, and the head. A file follows. */
export function encodeHead(head: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head])
}

/** Returns the signature of a call. The head contains the hash of the file that follows. */
export function signCall(key: Buffer, call: { timeMs: number; operation: string; head: Buffer }): string {
  return createHmac('sha256', key).update(`${call.timeMs}\n${call.operation}\n`).update(call.head).digest('hex')
}

/**
 * Reads the headers of a call. Null when they lack the right form or a recent time: its head is not worth reading.
 */
export function readCallHeaders(
  { [timeHeader]: time, [signatureHeader]: signature }: Readonly<Record<string, string | string[] | undefined>>,
  nowMs: number,
): { readonly timeMs: number; readonly signature: string } | null {
  if (typeof time !== 'string' || !/^\d{1,15}(?:\.\d{1,9})?$/.test(time) || !isRecent(Number(time), nowMs)) return null
  if (typeof signature !== 'string' || !/^[\da-f]{64}$/.test(signature)) return null
  return { timeMs: Number(time), signature }
}

function isRecent(timeMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - timeMs) <= clockToleranceMs
}

/** Whether a call was signed with this key, about now. */
export function isSignedCall(
  key: Buffer,
  call: { timeMs: number; operation: string; head: Buffer },
  signature: string,
  nowMs: number,
): boolean {
  const wanted = Buffer.from(signCall(key, call), 'hex')
  const given = Buffer.from(signature, 'hex')
  return isRecent(call.timeMs, nowMs) && given.length === wanted.length && timingSafeEqual(given, wanted)
}
