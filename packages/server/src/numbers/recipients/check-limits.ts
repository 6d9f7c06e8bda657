import type { Services } from '#services.ts'

/** How much may be checked through one number, and how long a result is valid. */
export interface CheckLimits {
  readonly perMinute: number
  readonly perDay: number
  readonly validHours: { readonly onNetwork: number; readonly notOnNetwork: number }
}

// A whole list of 10,000 recipients a minute, and a sixth on top that lists leave to sends. What a day may store is
// bounded too.
const simulated: CheckLimits = { perMinute: 12_000, perDay: 100_000, validHours: { onNetwork: 24, notOnNetwork: 1 } }
// Real networks ban accounts that check many numbers.
const real: CheckLimits = { perMinute: 60, perDay: 1000, validHours: { onNetwork: 30 * 24, notOnNetwork: 24 } }

/** The limits of numbers on the simulated network and on real ones. */
export interface CheckLimitsByNetwork {
  readonly simulated: CheckLimits
  readonly real: CheckLimits
}

/** Returns the limits that apply with these settings; a setting holds for every network. */
export function checkLimits(
  config: Pick<Services['config'], 'checksPerNumberPerMinute' | 'checksPerNumberPerDay'>,
): CheckLimitsByNetwork {
  const { checksPerNumberPerMinute: perMinute, checksPerNumberPerDay: perDay } = config
  const within = (usual: CheckLimits): CheckLimits => ({
    ...usual,
    ...(perMinute === null ? {} : { perMinute }),
    ...(perDay === null ? {} : { perDay }),
  })
  return { simulated: within(simulated), real: within(real) }
}
