import { limits } from '@msgctl/contract'
import { byCredential, limitReached } from '#api/access/limit-key.ts'
import type { Db } from '#platform/db/db.ts'
import { returnPermit, type Sender, type SendWindow, takePermit } from './send-limit-store.ts'

function windowsFor(sendsPerHour: number): SendWindow[] {
  return [
    { seconds: 60, sends: Math.min(limits.mcp.sendsPerMinute, sendsPerHour) },
    { seconds: 3600, sends: sendsPerHour },
  ]
}

/**
 * Runs a send within the limits of an AI client. `send` returns whether it was a first one: refused and repeated sends
 * do not count. Throws RATE_LIMIT.
 */
export async function withinSendLimit<T extends { readonly replayed: boolean }>(
  db: Db,
  sender: Sender,
  sendsPerHour: number,
  send: () => Promise<T>,
): Promise<T> {
  if (sendsPerHour === 0) throw limited(sender, 'AI clients of this organization may send nothing.', 3600)
  const permit = await takePermit(db, sender, windowsFor(sendsPerHour))
  if (permit.id === undefined) {
    const { waitSeconds } = permit
    throw limited(
      sender,
      `This client has sent as many messages as it may. Try again in ${waitSeconds} s.`,
      waitSeconds,
    )
  }
  let counts = false
  try {
    const sent = await send()
    counts = !sent.replayed
    return sent
  } finally {
    if (!counts) await returnPermit(db, sender, permit.id)
  }
}

function limited(sender: Sender, message: string, retryAfterSeconds: number): Error {
  return limitReached(byCredential('sends of an AI client', sender), message, { retryAfterSeconds })
}
