import { limits } from '@msgctl/contract'
import { byAddress, type LimitKey, limitReached } from '#api/access/limit-key.ts'

const windowMs = 60_000
const rememberedNetworks = 10_000

interface Window {
  requests: number
  readonly endsAt: number
}

/**
 * Makes the count of the requests that each network makes without credentials, in this process and before their bodies
 * are read. It only bounds what refused requests cost; the limits on sign-ins and sign-ups are counted by the handlers.
 */
export function limitAddresses(elapsedMs: () => number = () => performance.now()): (ip: string) => void {
  const windows = new Map<string, Window>()

  function windowOf({ bucket }: LimitKey): Window {
    const known = windows.get(bucket)
    if (known && known.endsAt > elapsedMs()) return known
    windows.delete(bucket)
    const [oldest] = windows.keys()
    if (windows.size >= rememberedNetworks && oldest !== undefined) windows.delete(oldest)
    const begun = { requests: 0, endsAt: elapsedMs() + windowMs }
    windows.set(bucket, begun)
    return begun
  }

  return (ip) => {
    const key = byAddress('requests', ip)
    const window = windowOf(key)
    window.requests += 1
    if (window.requests <= limits.publicRequestsPerMinute) return
    const retryAfterSeconds = Math.ceil((window.endsAt - elapsedMs()) / 1000)
    throw limitReached(key, `Too many requests from this address. Try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    })
  }
}
