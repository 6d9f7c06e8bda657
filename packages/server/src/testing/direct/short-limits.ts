import type { Gateway } from '@msgctl/network/gateway'
import { personAt } from '#networks/simulator/people/people.ts'

/** How long a call may take that the network does not respond to. The simulator at speed 0 times out at once. */
const silentCallMs = 2000

/** How many calls wait for the network. */
export interface CallCount {
  readonly waiting: number
}

/** Calls that the network does not respond to, beside those about people who are known for it. */
export interface Silence {
  readonly sends: boolean
  readonly checks: boolean
}

/**
 * Gives calls that the network will not respond to a shorter limit than the service does, and counts all calls. Others
 * keep theirs, so that nothing times out because the machine is busy.
 */
export function shortenLimits(gateway: Gateway, silence: () => Silence): CallCount {
  const { send, check } = gateway
  const calls = { waiting: 0 }

  async function counted<T>(call: Promise<T>): Promise<T> {
    calls.waiting++
    return call.finally(() => calls.waiting--)
  }

  const shortened: Pick<Gateway, 'send' | 'check'> = {
    send(session, to, content, options) {
      const isSilent = silence().sends || personAt(to)?.reception.startsWith('times_out')
      const timeoutMs = isSilent ? silentCallMs : options.timeoutMs
      return counted(send.call(gateway, session, to, content, { ...options, timeoutMs }))
    },
    check(session, digits, signal) {
      const isSilent = silence().checks || digits.some((one) => personAt({ kind: 'phone', digits: one })?.checkTimesOut)
      if (!isSilent) return counted(check.call(gateway, session, digits, signal))
      const limit = AbortSignal.timeout(silentCallMs)
      return counted(check.call(gateway, session, digits, signal ? AbortSignal.any([signal, limit]) : limit))
    },
  }
  Object.assign(gateway, shortened)
  return calls
}
