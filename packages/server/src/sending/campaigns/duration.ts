import { campaignSeconds } from '@msgctl/contract'

/**
 * Returns how long `count` campaign messages take over `numbers` numbers: in seconds, and as text like `13 h 53 min`.
 */
export function estimateDuration(count: number, numbers: number) {
  const seconds = Math.ceil(campaignSeconds(count, numbers))
  return { estimatedDuration: formatSeconds(seconds), estimatedDurationSeconds: seconds }
}

function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}
