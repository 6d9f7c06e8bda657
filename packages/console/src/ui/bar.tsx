import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import type { StatusName } from './status.tsx'

/** The parts of a bar, from its start. */
export type Part = readonly [name: StatusName, count: number]

/** Counts of messages in which each stage includes the later ones. */
export interface StageCounts {
  readonly total: number
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
}

/** Returns the parts of a bar, of which each message is in one. */
export function partsOf({ sent, delivered, read, failed }: StageCounts): Part[] {
  return [
    ['read', read],
    ['delivered', Math.max(0, delivered - read)],
    ['sent', Math.max(0, sent - delivered)],
    ['failed', failed],
  ]
}

interface BarProps {
  readonly label: string
  readonly total: number
  readonly parts: readonly Part[]
}

/** A bar of counts by state. */
export function Bar({ label, total, parts }: BarProps) {
  const words = parts.map(([name, count]) => `${t.status[name]} ${number(count)}`).join(', ')
  return (
    <div class="bar" role="img" aria-label={`${label}: ${words}`}>
      {parts.map(([name, count]) =>
        count > 0 ? (
          <i key={name} class={`fill-${name}`} style={{ flexBasis: `${(100 * count) / Math.max(1, total)}%` }} />
        ) : null,
      )}
    </div>
  )
}

/** The colours of a bar with their words and counts. */
export function Legend({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <ul class="legend">
      {parts.map(([name, count]) => (
        <li key={name}>
          <i class={`fill-${name}`} aria-hidden />
          {t.status[name]} <b class="num">{number(count)}</b>
        </li>
      ))}
    </ul>
  )
}
