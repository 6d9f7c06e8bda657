import { limits } from '@msgctl/contract'

const { minSpacingSeconds, maxSpacingSeconds, perNumberPerMinute, perOrganizationPerMinute } = limits.campaign

/**
 * Returns how long `count` campaign messages take over `numbers` numbers: in seconds, and as text like `13 h 53 min`.
 * Each takes 5 seconds, or longer by the limits for a number and for the organization.
 */
export function estimateDuration(count: number, numbers: number) {
  const perNumberSeconds = Math.max((minSpacingSeconds + maxSpacingSeconds) / 2, 60 / perNumberPerMinute)
  const byNumbers = (count * perNumberSeconds) / Math.max(1, numbers)
  const seconds = Math.ceil(Math.max(byNumbers, (count * 60) / perOrganizationPerMinute))
  return { estimatedDuration: formatSeconds(seconds), estimatedDurationSeconds: seconds }
}

function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}
