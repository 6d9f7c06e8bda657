import * as z from 'zod'

const rate = z.number().min(0).max(1)

function rates<const Name extends string>(names: readonly [Name, ...Name[]]) {
  return z
    .partialRecord(z.enum(names), rate)
    .refine((map) => Object.values(map as Record<string, number>).reduce((sum, one) => sum + one, 0) <= 1.000_001, {
      message: 'the rates must not add up to more than 1',
    })
}

/** Faults of the simulated network: how large a part of the calls each hits, and a wait added to every call. */
export const faultSettings = z.strictObject({
  send: rates(['timeout_not_sent', 'timeout_sent', 'unacknowledged', 'rejected', 'unreachable', 'session']).optional(),
  check: rates(['timeout', 'unreachable', 'session']).optional(),
  /** Real milliseconds, whatever the speed. */
  latencyMs: z.number().int().min(0).max(60_000).optional(),
})
export type FaultSettings = z.infer<typeof faultSettings>

/** Which fault a draw in [0, 1) means: each takes a part of the line as long as its rate. */
export function faultFor<Name extends string>(
  map: Partial<Record<Name, number>> | undefined,
  draw: number,
): Name | null {
  let end = 0
  for (const [name, part] of Object.entries<number | undefined>(map ?? {})) {
    end += part ?? 0
    if (draw < end) return name as Name
  }
  return null
}
