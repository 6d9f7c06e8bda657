import type { WebVersion } from '#networks/gateway/direct/web-version.ts'
import type { Finding } from './finding.ts'

const dayMs = 86_400_000
/** The network accepts a version for about two months. */
const [noteAfterDays, failedAfterDays] = [30, 50]

/** Judges the age of the version that gateway hosts claim to be. */
export function judgeWebVersion({ version, knownAt, fault }: WebVersion, now: Date): Finding {
  const days = Math.max(0, Math.floor((now.getTime() - knownAt.getTime()) / dayMs))
  const name = 'Web version'
  if (days < noteAfterDays)
    return { name, outcome: 'ok', text: `${version}, known as the present one ${days} days ago` }
  const why = fault === null ? '' : ` (the last try: ${fault})`
  const text =
    `${version} was last known as the present one ${days} days ago, and the network refuses old versions${why}. ` +
    'Run: msgctl-server gateway web-version --fetch'
  return { name, outcome: days < failedAfterDays ? 'note' : 'failed', text }
}
