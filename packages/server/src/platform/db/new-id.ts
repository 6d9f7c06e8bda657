import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/** Random bytes for some hundred ids: asking for those of one id costs as much. */
const pool = new Uint8Array(4096)
const bytesOfId = 16
let used = pool.length

let lastMs = 0
/**
 * The counter that orders the ids of one millisecond: it begins at a random place of its lower half, and has 32 bits.
 */
let sequence = 0

/**
 * Returns a new id: a UUID of version 7, which begins with its time in milliseconds. Those of one process ascend, also
 * within a millisecond and when the clock of the machine is set back.
 */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, used + bytesOfId)
  used += bytesOfId
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
  } else {
    sequence += 1
  }
  return v7({ random, msecs: lastMs, seq: sequence })
}
