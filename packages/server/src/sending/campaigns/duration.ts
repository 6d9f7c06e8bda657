import { limits } from '@msgctl/contract'

const { minSpacingSeconds, maxSpacingSeconds, perNumberPerMinute, perOrganizationPerMinute } = limits.campaign

/**
 * Returns how long `count` campaign messages take over `numbers` numbers, as text like `13 h 53 min`. Each takes 5
 * seconds, or longer by the limits for a number and for the organization.
 */
export function estimatedDuration(count: number, numbers: number): string {
  const perNumberSeconds = Math.max((minSpacingSeconds + maxSpacingSeconds) / 2, 60 / perNumberPerMinute)
  const seconds = count * Math.max(perNumberSeconds / Math.max(1, numbers), 60 / perOrganizationPerMinute)
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}
