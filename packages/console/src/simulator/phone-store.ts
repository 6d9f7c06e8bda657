import type { MessageStatus } from '@msgctl/contract/states'
import { useQuery } from '@tanstack/preact-query'
import { callSimulator } from '../api/session-calls.ts'

/** What a simulated phone shows of one message. */
export interface PhoneMessage {
  readonly id: number
  /** in: the owner of the phone wrote it; out: a number wrote it. */
  readonly direction: 'in' | 'out'
  readonly containerId: string
  readonly kind: string
  readonly text: string
  readonly at: string
  readonly deleted: boolean
  /** For what its owner wrote: sent, or read once the number has seen it. */
  readonly status: MessageStatus
}

/** A phone of the simulated network. */
export interface SimulatedPhone {
  readonly messages: readonly PhoneMessage[]
  /** The numbers that show a typing indicator now. */
  readonly typing: readonly string[]
  readonly online: boolean
}

/** The phone shows typing indicators, which no stream reports. */
const pollMs = 700

/** Reads a phone as long as it is shown. */
export function usePhone(phone: string) {
  return useQuery({
    queryKey: ['phone', phone],
    queryFn: () => callSimulator<SimulatedPhone>('GET', `phones/${phone}`),
    refetchInterval: pollMs,
  })
}
